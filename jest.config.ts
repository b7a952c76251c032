import type { Config } from 'jest';

/** The suites are named by what they need: `unit` nothing, `table` and `api` a DynamoDB, `infra` a synth. */
const common = {
  // Node strips the types itself; jest reads the sources as they are, as ES modules.
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
} satisfies Config;

export const suite = (name: string, more: Config = {}): Config => ({
  ...common,
  ...more,
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
});

export const engine = {
  globalSetup: '<rootDir>/test/support/start-engine.ts',
  globalTeardown: '<rootDir>/test/support/stop-engine.ts',
};

export default {
  randomize: true,
  // Guards against hanging and measures nothing: the machine may be slow or busy with other work. jest reads this from
  // the top level only, not from the projects.
  testTimeout: 600_000,
  reporters: ['default', '<rootDir>/test/support/count-reporter.ts'],
  projects: [suite('unit'), suite('table', engine), suite('api', engine), suite('infra')],
} satisfies Config;
