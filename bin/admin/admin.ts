import { addAdvocateCommands } from './advocate.ts';
import { AdminCommand, type CliContext } from './cli.ts';
import { addDoctorCommand } from './doctor/command.ts';
import { addProgramCommands } from './program.ts';
import { addReferralCommands } from './referral.ts';
import { addTokenCommands } from './token.ts';

/** The operator's command line with all its commands. Commander throws a `CommanderError` instead of ending the process. */
export function adminCommand(context: CliContext): AdminCommand {
  const admin = new AdminCommand('npm run admin --')
    .description("The operator's command line of the referral-tracking service")
    .option('--json', 'write JSON instead of a table for people')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => context.output.write(text),
      writeErr: (text) => context.errors.write(text),
    })
    .showHelpAfterError('Run with --help to see the commands and options.')
    .exitOverride()
    .examples(
      [
        'program create --name "Example Shop" --site-url https://shop.example',
        'advocate create --program ID --email jane@example.com --first-name Jane',
        'token create --program ID --json',
      ],
      `The commands work on the table of the running \`npm start\`, which records it in DATA_DIR (default: .local); on the
table at DYNAMODB_ENDPOINT, if that is set; or on a table on AWS, if only TABLE_NAME is set.`,
    );
  addProgramCommands(admin, context);
  addAdvocateCommands(admin, context);
  addTokenCommands(admin, context);
  addReferralCommands(admin, context);
  addDoctorCommand(admin, context);
  return admin;
}
