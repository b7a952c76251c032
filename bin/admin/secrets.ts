import type { Table } from '../../functions/kernel/dynamodb/table.ts';
import { RequestRefused, Unavailable } from '../../functions/kernel/errors.ts';
import { awsAccess } from '../../functions/kernel/operator/credentials.ts';
import {
  type ParameterStoreOptions,
  parameterStore,
  readQueueUrl,
} from '../../functions/kernel/secrets/parameter-store.ts';
import type { SecretStore } from '../../functions/kernel/secrets/secrets.ts';
import { sqsQueue } from '../../functions/webhooks/stream/aws.ts';
import type { Queue } from '../../functions/webhooks/stream/destinations.ts';
import { DATA_DIR } from '../service/environment.ts';
import { ServiceFile } from '../service/service-file.ts';
import { Failure } from './errors.ts';
import { dataDirOf, explainingFile, targetOf } from './target.ts';

export interface ServiceAccess {
  readonly secrets: SecretStore;
  /** Runs `work` on the queue of deliveries. Throws `Failure` if there is none. */
  readonly onQueue: <Result>(work: (queue: Queue) => Promise<Result>) => Promise<Result>;
  /** False for a deployment without events: it has no queue, and its webhooks receive nothing. */
  readonly hasEvents: () => Promise<boolean>;
  /** True for `npm start`, which also sends events to http addresses of this machine. */
  readonly isLocal: boolean;
}

export const EVENTS_OFF = 'Events are off in this deployment. Deploy its stack with the context events=on.';

/** Finds the store of secrets and the queue for the table that the environment selects. Throws `Failure`. */
export async function serviceAccess(environment: NodeJS.ProcessEnv, table: Table): Promise<ServiceAccess> {
  const deployment = await deploymentOf(environment, table);
  if (deployment) return deployedAccess(deployment);
  const { service } = await targetOf(environment);
  if (service) return localAccess(service.dataDir);
  throw new Failure(
    `The folder ${dataDirOf(environment)} is not the ${DATA_DIR} of an \`npm start\` that uses this table. Start one, or set ${DATA_DIR} to its folder: it contains the secrets and the queue of events.`,
  );
}

/** Finds the parameters of the deployment that the environment selects; `undefined` unless its table is on AWS. */
export async function deploymentOf(
  environment: NodeJS.ProcessEnv,
  table: Table,
): Promise<ParameterStoreOptions | undefined> {
  const { isOnAws, tableName } = await targetOf(environment);
  return isOnAws ? { ...(await awsAccess(table)), tableName } : undefined;
}

export function deployedAccess(options: ParameterStoreOptions): ServiceAccess {
  const store = parameterStore(options);
  return {
    isLocal: false,
    secrets: storeOf((work) => explained(() => work(store))),
    hasEvents: async () => (await explained(() => readQueueUrl(options))) !== undefined,
    onQueue: async (work) => {
      const url = await explained(() => readQueueUrl(options));
      if (url === undefined) throw new Failure(EVENTS_OFF);
      const queue = sqsQueue(url, options);
      return work({
        send: (messages) =>
          queue.send(messages).catch((error: unknown) => {
            const reason = error instanceof RequestRefused ? error.name : 'no response';
            throw new Failure(`The queue of events does not accept them (${reason}). Check the AWS credentials.`, {
              cause: error,
            });
          }),
      });
    },
  };
}

function storeOf(run: <Result>(work: (store: SecretStore) => Promise<Result>) => Promise<Result>): SecretStore {
  return {
    read: (owner) => run((store) => store.read(owner)),
    add: (owner, secret) => run((store) => store.add(owner, secret)),
    remove: (owner, secrets) => run((store) => store.remove(owner, secrets)),
  };
}

/** Explains a failure of Parameter Store, which could be mistaken for a failure of the table. */
async function explained<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof Unavailable) {
      throw new Failure('Parameter Store on AWS does not respond. Try again later, or check the network.', {
        cause: error,
      });
    }
    if (!(error instanceof RequestRefused)) throw error;
    const problem = `Parameter Store on AWS rejects the request (${error.reason ?? error.name}).`;
    throw new Failure(`${problem} Check the permissions of the AWS credentials.`, { cause: error });
  }
}

export function localAccess(dataDir: string): ServiceAccess {
  const onFile = <Result>(work: (file: ServiceFile) => Promise<Result>) =>
    explainingFile(async () => {
      using file = new ServiceFile(dataDir);
      return await work(file);
    });
  return {
    isLocal: true,
    hasEvents: async () => true,
    secrets: storeOf((work) => onFile(({ secrets }) => work(secrets))),
    onQueue: (work) => onFile(({ queue }) => work(queue)),
  };
}
