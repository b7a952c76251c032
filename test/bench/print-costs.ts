import { costTables } from './costs.ts';
import { edgeFloodTable, edgeMonthTable } from './edge-costs.ts';
import { floodTable } from './flood.ts';

// `npm run costs`: the cost tables of docs/deploy.md.
console.log([costTables(), floodTable(), edgeMonthTable(), edgeFloodTable()].join('\n\n'));
