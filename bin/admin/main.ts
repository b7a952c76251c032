import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { systemClock } from '../../functions/domain/time.ts';
import { addAdvocateCommands } from './advocate.ts';
import { onTable } from './connection.ts';
import type { CliContext } from './context.ts';
import { addDoctorCommand } from './doctor.ts';
import { endingOf } from './errors.ts';
import { examples } from './options.ts';
import { addProgramCommands } from './program.ts';
import { addReferralCommands } from './referral.ts';
import { addTokenCommands } from './token.ts';

const session: CliContext = {
  clock: systemClock,
  random: randomBytes,
  onTable: (work) => onTable(process.env, work),
  write: (text) => process.stdout.write(text),
  output: process.stdout,
};

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    // Who reads may stop early, as head does: then there is nobody to tell.
    if (stream === process.stdout && !('code' in error && error.code === 'EPIPE')) {
      process.stderr.write('The output cannot be written: free some space, or send it elsewhere.\n');
      process.exitCode = 1;
    }
    process.exit();
  });
}

const admin = new Command('npm run admin --')
  .description("The operator's command line of the referral-tracking service")
  .option('--json', 'write one JSON document instead of a table for people')
  .configureHelp({ showGlobalOptions: true })
  // Commander's messages repeat what was typed; `endingOf` puts them in words that do not.
  .configureOutput({ outputError: () => undefined })
  .exitOverride()
  .addHelpText(
    'after',
    `${examples(
      'program create --name "Example Shop" --site-url https://shop.example',
      'advocate create --program ID --email jane@example.com --first-name Jane',
      'token create --program ID --json',
    )}

The table is that of the running npm start, which notes it in DATA_DIR (else .local); or that at DYNAMODB_ENDPOINT; or
one on AWS where only TABLE_NAME is set.`,
  );
addProgramCommands(admin, session);
addAdvocateCommands(admin, session);
addTokenCommands(admin, session);
addReferralCommands(admin, session);
addDoctorCommand(admin, session, process.env);

try {
  await admin.parseAsync();
} catch (error) {
  const { sentence, status } = endingOf(error);
  if (sentence !== undefined) process.stderr.write(`${sentence}\n`);
  process.exitCode = status;
}
