import { formatProblems, getTotals, lint, loadConfig } from '@redocly/openapi-core';

// Part of `npm run check`: checks openapi.json against the rules in redocly.yaml.
const problems = await lint({ ref: 'openapi.json', config: await loadConfig({ configPath: 'redocly.yaml' }) });
formatProblems(problems, { totals: getTotals(problems), version: '' });
if (problems.length > 0) process.exitCode = 1;
