import type { Config } from 'jest';
import common, { REPORTERS, suite } from './jest.config.ts';

const setup = {
  globalSetup: '<rootDir>/test/support/browser/start-suite.ts',
  globalTeardown: '<rootDir>/test/support/browser/stop-suite.ts',
};

/** The suite that needs Chromium and a DynamoDB. The other suites need only npm. */
export default {
  ...common,
  reporters: REPORTERS,
  projects: [suite('browser', setup)],
} satisfies Config;
