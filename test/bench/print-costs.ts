import { costTables } from './costs.ts';

// `npm run costs`: the tables of costs, as the README has them.
console.log(costTables());
