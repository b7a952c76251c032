import type { Config } from 'jest';
import common, { engine, suite } from './jest.config.ts';

/** All suites that need only npm: `npm run test:all`. */
export default {
  ...common,
  projects: [
    ...common.projects,
    ...['infra', 'script'].map((name) => suite(name)),
    ...['client', 'command-line', 'documents', 'local', 'sequences', 'simulation'].map((name) => suite(name, engine)),
  ],
} satisfies Config;
