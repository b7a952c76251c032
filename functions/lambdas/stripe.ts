import { openConnection } from '../kernel/dynamodb/connection.ts';
import { readTableEnvironment } from '../kernel/environment.ts';
import { stripeSourceHandler } from '../stripe/stream/source.ts';

const connection = openConnection(readTableEnvironment());

/** Lambda calls it for each event of Stripe that arrives through EventBridge. */
export const handler = stripeSourceHandler(connection);

/** Resolves when the connection is warm. `functions/lambdas/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = connection.warmUp();
