import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { systemClock } from '../../functions/kernel/time.ts';
import { adminCommand } from './admin.ts';
import { toExit } from './errors.ts';
import { deploymentOf, serviceAccess } from './secrets.ts';
import { onTable } from './target.ts';

// Keeps V8's space for new objects small. It would grow to about 64 MB and gain nothing: imports and exports wait for
// the table (https://nodejs.org/api/v8.html#v8setflagsfromstringflags).
setFlagsFromString('--semi-space-growth-factor=1');

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    // EPIPE is not an error: the reader of the output, such as head, has stopped early.
    if (stream === process.stdout && !('code' in error && error.code === 'EPIPE')) {
      process.stderr.write('The output cannot be written. Free some space, or redirect it elsewhere.\n');
      process.exitCode = 1;
    }
    process.exit();
  });
}

const admin = adminCommand({
  environment: process.env,
  clock: systemClock,
  random: randomBytes,
  pause: setTimeout,
  onTable: (work) => onTable(process.env, work),
  serviceAccess: (table) => serviceAccess(process.env, table),
  deployment: (table) => deploymentOf(process.env, table),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
});
try {
  await admin.parseAsync();
} catch (error) {
  const { sentence, status } = toExit(error);
  if (sentence !== undefined) process.stderr.write(`${sentence}\n`);
  process.exitCode = status;
}
