import { availableParallelism } from 'node:os';
import { measureColdStarts } from './cold-start-table.ts';
import { peerFolder } from './peer-folder.ts';
import { markdownTable } from './report.ts';

// Prints only the cold starts of docs/benchmarks.md: `npm run bench:cold`. Their shares depend little on this machine.

const PROCESSES = 7;

console.log(`Cold-starting each function on ${availableParallelism()} cores with Node ${process.version} …`);
const { sections } = await measureColdStarts(peerFolder(), PROCESSES);
for (const section of sections) console.log(markdownTable(section));
