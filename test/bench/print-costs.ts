import { costTables } from './costs.ts';
import { floodTable } from './flood.ts';

// `npm run costs`: the cost tables of docs/deploy.md.
console.log(`${costTables()}\n\n${floodTable()}`);
