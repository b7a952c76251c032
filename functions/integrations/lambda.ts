import { sqsQueue } from '../events/aws.ts';
import { sender } from '../events/send.ts';
import { parameterStore } from '../secrets/parameter-store.ts';
import { openConnection } from '../table/dynamodb/connection.ts';
import { readIntegrationsEnvironment, readParameterEnvironment, readTableEnvironment } from '../table/environment.ts';
import { integrationsHandler } from './handler.ts';
import { unavailableOnFailure } from './queue.ts';

const connection = openConnection(readTableEnvironment());
const { clock } = connection;

/** Lambda calls it for each request. */
export const handler = integrationsHandler(connection, {
  secrets: parameterStore(readParameterEnvironment()),
  queue: unavailableOnFailure(sqsQueue(readIntegrationsEnvironment().queueUrl)),
  send: sender({ clock, allowLoopback: false }),
  isLocal: false,
});

/** Resolves when the connection is warm. `functions/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = connection.warmUp();
