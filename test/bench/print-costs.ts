import { costTables } from './costs.ts';

// `npm run costs`: the cost tables of docs/deploy.md.
console.log(costTables());
