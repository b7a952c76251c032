import type { Config } from 'jest';
import common, { REPORTERS, suite } from './jest.config.ts';
import { missingEngines } from './test/support/engines/installed.ts';

const setup = {
  globalSetup: '<rootDir>/test/support/browser/start-suite.ts',
  globalTeardown: '<rootDir>/test/support/browser/stop-suite.ts',
};

/** The suite that needs browsers and a DynamoDB. The other suites need only npm. */
export default {
  ...common,
  reporters: REPORTERS,
  projects: [
    suite('browser', {
      ...setup,
      testPathIgnorePatterns: missingEngines().map((name) => `/engines/${name.toLowerCase()}\\.test`),
    }),
  ],
} satisfies Config;
