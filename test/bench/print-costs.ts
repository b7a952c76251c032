import { costTables } from './costs.ts';
import { edgeMonthTable } from './edge-costs.ts';
import { floodTable } from './flood.ts';

// `npm run costs`: the cost tables of docs/deploy.md.
console.log([costTables(), floodTable(), edgeMonthTable()].join('\n\n'));
