import { Readable, Writable } from 'node:stream';
import { adminCommand } from '../../bin/admin/admin.ts';
import { Failure, toExit } from '../../bin/admin/errors.ts';
import type { Table } from '../../functions/kernel/dynamodb/table.ts';
import { Unavailable } from '../../functions/kernel/errors.ts';
import type { Clock } from '../../functions/kernel/time.ts';
import type { Events } from './events.ts';
import { Instance, type Surroundings } from './instance.ts';
import type { Knowledge } from './knowledge.ts';
import type { MemorySecrets } from './secrets.ts';
import type { Shop } from './shops.ts';
import type { Tenants } from './tenants.ts';

/** How a command ended. */
export interface Ended {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

interface Parts {
  readonly secrets: MemorySecrets;
  readonly events: Events;
  readonly knowledge: Knowledge;
  readonly tenants: Tenants;
}

/** The process that ran a command was killed between two of its requests. */
class Killed extends Error {}

/** The limit of each request of a command, in milliseconds. */
const REQUEST_LIMIT = 60_000;
/** How often a command is repeated until it is not killed and finds the table available. */
const MAX_RUNS = 30;
/** From this run on, it is not killed: a command of hundreds of requests hardly ever survives them all. */
const SAFE_RUN = 15;
/** The exit status of a command that needs another run: it was killed, or table or queue were too busy. */
const AGAIN = -1;
const QUEUE_BUSY = /queue.* does not accept/;
const refused = (cause: unknown): never => {
  throw new Failure('The queue of events does not accept them.', { cause });
};

/** A stream that collects what is written to it. */
function collector() {
  const texts: string[] = [];
  const write = (chunk: unknown, _: unknown, done: () => void) => {
    texts.push(String(chunk));
    done();
  };
  return { stream: new Writable({ write }), text: () => texts.join('') };
}

/** Runs the operator's commands, each in a process of its own. */
export class CommandLine {
  readonly #surroundings: Surroundings;
  readonly #parts: Parts;

  constructor(surroundings: Surroundings, parts: Parts) {
    this.#surroundings = surroundings;
    this.#parts = parts;
  }

  /** Runs a command on a program, again and again until it ends by itself. `input` is its standard input. */
  async run(
    { mark, program }: Shop,
    [noun = '', verb = '', ...options]: readonly string[],
    input = '',
  ): Promise<Ended> {
    const { world } = this.#surroundings;
    const args = [noun, verb, '--program', program.id, ...options, '--json'];
    for (let run = 1; ; run += 1) {
      const rates = { ...this.#surroundings.rates, ...(run >= SAFE_RUN && { crash: 0 }) };
      const ended = await world.command(() => this.#runOnce(args, input, { ...this.#surroundings, rates }));
      const foreign = this.#parts.tenants.foreignIn(ended.output, program.id);
      if (foreign !== undefined)
        this.#parts.knowledge.report('tenants', `${noun} ${verb} of ${mark} printed ${foreign}`);
      if (ended.status !== AGAIN) return ended;
      if (run === MAX_RUNS) {
        this.#parts.knowledge.report('progress', `${noun} ${verb} did not succeed in ${run} runs`);
        return ended;
      }
      await world.pause(world.chance.below(20_000));
    }
  }

  async #runOnce(args: readonly string[], input: string, surroundings: Surroundings): Promise<Ended> {
    const [output, errors] = [collector(), collector()];
    const process = new Instance<{ table: Table; clock: Clock }>(surroundings, (connection) => {
      return { table: connection.withLimit(REQUEST_LIMIT), clock: connection.clock };
    });
    const killed = process.crashed.then((): never => {
      throw new Killed();
    });
    killed.catch(() => undefined);
    /** Never continues a process that was killed, but lets it release what it holds in this one. */
    const alive = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (!process.isAlive) throw new Killed();
      return Promise.race([work(), killed]);
    };
    const { table, clock } = process.handle;
    const { secrets, events } = this.#parts;
    const admin = adminCommand({
      environment: {},
      clock,
      random: this.#surroundings.world.chance.bytes,
      pause: (milliseconds) => alive(() => this.#surroundings.world.pause(milliseconds)),
      onTable: (work) => alive(() => work(table)),
      serviceAccess: async () => ({
        isLocal: true,
        hasEvents: async () => true,
        secrets: {
          read: (owner) => alive(() => secrets.read(owner)),
          add: (owner, secret) => alive(() => secrets.add(owner, secret)),
          remove: (owner, removed) => alive(() => secrets.remove(owner, removed)),
        },
        onQueue: (work) => alive(() => work({ send: (messages) => events.queue.send(messages).catch(refused) })),
      }),
      deployment: async () => undefined,
      input: Readable.from([input]),
      output: output.stream,
      errors: errors.stream,
    });
    try {
      await admin.parseAsync(args, { from: 'user' });
      return { status: 0, output: output.text(), errors: errors.text() };
    } catch (error) {
      const { sentence = '', status } = toExit(error);
      const isUnfinished = error instanceof Killed || error instanceof Unavailable || QUEUE_BUSY.test(sentence);
      return { status: isUnfinished ? AGAIN : status, output: output.text(), errors: sentence };
    }
  }
}
