import type { Config } from 'jest';
import common, { engine, suite } from './jest.config.ts';

/** The suite that needs Chromium and a DynamoDB. The other suites need only npm. */
export default {
  ...common,
  projects: [suite('browser', engine)],
} satisfies Config;
