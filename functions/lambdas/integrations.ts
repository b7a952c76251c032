import { integrationsHandler } from '../api/integrations.ts';
import { openConnection } from '../kernel/dynamodb/connection.ts';
import { readIntegrationsEnvironment, readParameterEnvironment, readTableEnvironment } from '../kernel/environment.ts';
import { edgeOfEnvironment } from '../kernel/secrets/edge-secret.ts';
import { parameterStore } from '../kernel/secrets/parameter-store.ts';
import { sqsQueue } from '../webhooks/stream/aws.ts';
import { sender } from '../webhooks/stream/send.ts';
import { unavailableOnFailure } from '../webhooks/stream/unavailable-queue.ts';

const service = readParameterEnvironment();
const connection = openConnection(readTableEnvironment());
const { clock } = connection;
const edge = edgeOfEnvironment(clock);

/** Lambda calls it for each request. */
export const handler = integrationsHandler(
  connection,
  {
    secrets: parameterStore(service),
    queue: unavailableOnFailure(sqsQueue(readIntegrationsEnvironment().queueUrl, service)),
    send: sender({ clock, allowLoopback: false }),
    isLocal: false,
  },
  edge,
);

/** Resolves when connection and edge are warm. `functions/lambdas/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = Promise.all([connection.warmUp(), edge?.warmUp()]);
