import type { Config } from 'jest';
import common, { engine, suite } from './jest.config.ts';

/** The suite that needs Chromium, and a DynamoDB: apart from the others, which need nothing but npm. */
export default {
  ...common,
  projects: [suite('browser', engine)],
} satisfies Config;
