import { Session } from 'node:inspector/promises';
import CliTable from 'cli-table3';
import { startEngine } from '../../bin/local/engine.ts';
import { contextOf } from '../../bin/local/event.ts';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import { trackingHandler } from '../../functions/tracking/handler.ts';
import conversion from '../events/conversion-v2.json' with { type: 'json' };
import { aClick, anAdvocate, aProgram, aToken } from '../support/program.ts';
import { NO_SECRETS } from '../support/stripe/no-secrets.ts';
import { openPatiently } from '../support/table.ts';

// Prints the files and functions of functions/ that one V2 conversion runs through. The conversion turns a click into a
// referral, and has email, uid, sub id and idempotency key. It is the second request of its process, so that all modules
// are loaded and the caller is cached.

const FUNCTIONS = new URL('../../functions/', import.meta.url).href;

const engine = await startEngine();
const table = openPatiently('path', engine.endpoint);
await createMissingTable(table);
const program = await aProgram(table);
const advocate = await anAdvocate(table, program);
const token = await aToken(table, program);
const handler = trackingHandler(table.connection, NO_SECRETS);

async function convert(): Promise<() => Promise<number | undefined>> {
  const { id } = await aClick(table, program, advocate);
  const body = { gr_id: `${advocate.slug}.${id}`, email: `${id}@shop.example`, uid: id, sub_id: 'newsletter' };
  const headers = { ...conversion.headers, authorization: `Bearer ${token}`, 'idempotency-key': id };
  const event = { ...conversion, headers, body: JSON.stringify(body) };
  return async () => (await handler(event, contextOf('tracking'))).statusCode;
}

await (await convert())();
const run = await convert();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await session.post('Profiler.takePreciseCoverage');
const status = await run();
const { result } = await session.post('Profiler.takePreciseCoverage');
session.disconnect();
await engine.stop();
if (status !== 201) throw new Error(`The conversion got the status ${status}.`);

const files = result
  .filter(({ url }) => url.startsWith(FUNCTIONS))
  .map(({ url, functions }) => ({
    file: url.slice(FUNCTIONS.length),
    names: functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => functionName),
  }))
  .filter(({ names }) => names.length > 0)
  .sort((one, other) => (one.file < other.file ? -1 : 1));
const output = new CliTable({ head: ['file', 'functions'], style: { head: [], border: [], compact: true } });
for (const { file, names } of files) output.push([`functions/${file}`, names.length]);
const calls = files.reduce((sum, { names }) => sum + names.length, 0);
console.log(`${output}\nOne V2 conversion runs through ${files.length} files and ${calls} functions.`);
process.exit();
