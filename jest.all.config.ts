import type { Config } from 'jest';
import common, { engine, suite, suiteInside } from './jest.config.ts';

/** All suites that need only npm: `npm run test:all`. */
export default {
  ...common,
  projects: [
    ...common.projects,
    suiteInside('thorough', engine),
    suite('script'),
    ...['capacity', 'client', 'command-line', 'documents', 'infra', 'local', 'sequences', 'simulation'].map((name) =>
      suite(name, engine),
    ),
  ],
} satisfies Config;
