import { Connection } from '../../functions/kernel/dynamodb/connection.ts';
import { milliseconds } from '../../functions/kernel/time.ts';
import { fakeClient } from './fake/client.ts';
import type { FakeTable } from './fake/table.ts';
import { type FaultCounts, type FaultRates, faultyNetwork } from './network.ts';
import type { World } from './world.ts';

/** What all functions of a simulation share. */
export interface Surroundings {
  readonly world: World;
  readonly table: FakeTable;
  readonly rates: FaultRates;
  readonly faults: FaultCounts;
  /** Where addresses, codes and tokens were found that should not be there. */
  readonly leaks: string[];
}

/** True with the probability of a fault, which is then counted. */
export function occurs({ world, rates, faults }: Surroundings, fault: keyof FaultRates): boolean {
  const happens = world.chance.happens(rates[fault]);
  if (happens) faults[fault] += 1;
  return happens;
}

/** A function as Lambda runs it: one invocation at a time, with its own memory, until it crashes. */
export class Instance<Handle> {
  readonly #surroundings: Surroundings;
  readonly #crash = Promise.withResolvers<'crashed'>();
  /** Resolves when it crashes. */
  readonly crashed: Promise<'crashed'> = this.#crash.promise;
  #skew = 0;
  isAlive = true;
  readonly handle: Handle;

  /** `create` builds the handler on a connection whose requests suffer the faults. It may crash without a request. */
  constructor(surroundings: Surroundings, create: (connection: Connection, crash: () => void) => Handle) {
    this.#surroundings = surroundings;
    const { world, table, rates, faults } = surroundings;
    const crash = () => {
      this.isAlive = false;
      this.#crash.resolve('crashed');
    };
    const network = faultyNetwork(world, rates, faults, { isAlive: () => this.isAlive, crash });
    this.handle = create(
      new Connection({
        tableName: 'simulated',
        client: fakeClient(table, {
          ...network,
          request: (run, ...rest) => network.request(() => table.as(this, run), ...rest),
        }),
        clock: () => milliseconds(world.now() + this.#skew),
        random: world.chance.bytes,
        pause: world.pause,
      }),
      crash,
    );
  }

  /** Invokes the function. Resolves to `crashed` if it ends before it responds. */
  async invoke<Result>(work: (handle: Handle, writer: object) => Promise<Result>): Promise<Result | 'crashed'> {
    if (occurs(this.#surroundings, 'clockJump')) {
      const { chance, skew } = this.#surroundings.world;
      this.#skew = chance.below(2 * skew) - skew;
    }
    return Promise.race([work(this.handle, this), this.crashed]);
  }
}

/** The idle instances of one function. A new one starts if all of them are busy. */
export class Instances<Handle> {
  readonly #start: () => Instance<Handle>;
  readonly #idle: Instance<Handle>[] = [];

  constructor(surroundings: Surroundings, create: (connection: Connection, crash: () => void) => Handle) {
    this.#start = () => new Instance(surroundings, create);
  }

  /** Invokes the function on an idle instance. Resolves to `crashed` if it ends before it responds. */
  async invoke<Result>(work: (handle: Handle, writer: object) => Promise<Result>): Promise<Result | 'crashed'> {
    const instance = this.#idle.pop() ?? this.#start();
    const result = await instance.invoke(work);
    if (instance.isAlive) this.#idle.push(instance);
    return result;
  }
}
