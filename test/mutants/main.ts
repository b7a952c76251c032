import { parseArgs } from 'node:util';
import { checkTypes, isExpected, type Outcome, tryMutants } from './run.ts';
import { MUTANTS } from './table.ts';

// npm run test:mutants: applies each deliberate fault to a copy of the checkout, and runs the suite that must notice it.
// `-- --only TEXT` tries the faults whose file, text, replacement or suite contains a text, and names the failed tests.

const { only } = parseArgs({ options: { only: { type: 'string', default: '' } } }).values;
const selected = MUTANTS.filter((mutant) => Object.values(mutant).some((part) => part?.includes(only)));
if (selected.length === 0) throw new Error('No fault contains the text in --only.');

// Removes the copies.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const code = (text: string) => `\`${text.replace(/\s+/g, ' ')}\``;
const rowOf = ({ mutant: { file, text, replacement, suite }, verdict }: Outcome) =>
  `| ${file} | ${code(text)} | ${code(replacement)} | ${suite} | ${verdict} |`;

const outcomes: Outcome[] = [];
const start = performance.now();
await checkTypes(selected);
await tryMutants(selected, (outcome) => {
  outcomes.push(outcome);
  const missed = outcomes.filter((each) => !isExpected(each)).length;
  if (process.stderr.isTTY)
    process.stderr.write(`\r${outcomes.length} of ${selected.length} faults, ${missed} missed `);
  if (only !== '') console.log(`${rowOf(outcome)} ${outcome.test ?? ''}`);
});

const missed = outcomes.filter((outcome) => !isExpected(outcome));
const equivalent = outcomes.filter((outcome) => outcome.mutant.equivalent !== undefined && isExpected(outcome));
const caught = outcomes.length - missed.length - equivalent.length;
const hanging = outcomes.filter(({ verdict }) => verdict === 'hangs');
for (const [title, rows] of Object.entries({ 'Stopped after a time limit': hanging, 'Not caught': missed })) {
  if (rows.length === 0) continue;
  console.log(`\n${title}:\n\n| file | text | replacement | suite | verdict |\n| --- | --- | --- | --- | --- |`);
  for (const row of rows) console.log(rowOf(row));
}
const minutes = ((performance.now() - start) / 60_000).toFixed(1);
console.log(`\n${selected.length} faults: ${caught} caught, ${equivalent.length} equivalent, in ${minutes} minutes`);
console.log(`${caught} passed, ${missed.length} failed`);
if (missed.length > 0) process.exitCode = 1;
