import type { Config } from 'jest';
import common, { engine, REPORTERS, suite } from './jest.config.ts';

/** The suite that needs Chromium and a DynamoDB. The other suites need only npm. */
export default {
  ...common,
  reporters: REPORTERS,
  projects: [suite('browser', engine)],
} satisfies Config;
