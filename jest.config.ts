import { availableParallelism } from 'node:os';
import type { Config } from 'jest';
import { NODE_COMPILE_CACHE } from './test/support/start.ts';

const common = {
  // Without a transform, jest strips the types and loads the sources as ES modules.
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
} satisfies Config;

const tests = (name: string, testMatch: string, options: Config = {}): Config => ({
  ...common,
  ...options,
  displayName: name,
  testMatch: [`<rootDir>/test/${testMatch}/**/*.test.ts`],
});

/** A suite that is a folder of `test`. */
export const suite = (name: string, options?: Config): Config => tests(name, name, options);

/** A suite that is a folder of each capability's tests. */
export const suiteInside = (name: string, options?: Config): Config => tests(name, `*/${name}`, options);

/** For suites that need a DynamoDB. */
export const engine = {
  globalSetup: '<rootDir>/test/support/start-engine.ts',
  globalTeardown: '<rootDir>/test/support/stop-engine.ts',
};

/** Of all suites. */
export const REPORTERS = ['default', '<rootDir>/test/support/count-reporter.ts'];

// CDK would validate every template that a test synthesizes, which takes seconds. test/infra/app.test.ts does it.
process.env['CDK_VALIDATION'] = 'false';

// For the processes that tests spawn with the environment of the run.
process.env['NODE_COMPILE_CACHE'] = NODE_COMPILE_CACHE;

/** What tells in a minute that the service works: `npm test`. */
export default {
  randomize: true,
  // Three test files for two processors. By default jest leaves one idle, although many tests wait for other processes.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // Only guards against hanging, since the machine may be slow or busy. jest ignores this setting in projects.
  testTimeout: 600_000,
  reporters: [...REPORTERS, '<rootDir>/test/support/quiet-reporter.ts'],
  projects: [suiteInside('unit'), suiteInside('table', engine), suiteInside('api', engine)],
} satisfies Config;
