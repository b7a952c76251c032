import project from '../../package.json' with { type: 'json' };
import { addAdvocateCommands } from './advocate/commands.ts';
import { addApplicationCommands } from './application.ts';
import { AdminCommand, CALL, type CliContext, withoutValues } from './cli.ts';
import { addDoctorCommand } from './doctor/command.ts';
import { addExplainCommand } from './explain.ts';
import { addLedgerCommands } from './ledger/commands.ts';
import { addMcpConfigCommand } from './mcp-config.ts';
import { addMemberCommands } from './member.ts';
import { addPeopleCommands } from './people.ts';
import { addProgramCommands } from './program/commands.ts';
import { addReferralCommands } from './referral/commands.ts';
import { addStatisticsCommands } from './statistics/commands.ts';
import { addStripeCommands } from './stripe/commands.ts';
import { addCodeCommands } from './terms/codes.ts';
import { addGroupCommands } from './terms/groups.ts';
import { addDashboardCommand, addTokenCommands } from './token.ts';
import { addWebhookCommands } from './webhook/commands.ts';

/** Builds the operator's command line. Commander throws a `CommanderError` instead of ending the process. */
export function adminCommand(context: CliContext): AdminCommand {
  const admin = new AdminCommand(context, CALL)
    .description("The operator's command line of the referral-tracking service")
    .version(project.version, '--version')
    .option('--json', 'write JSON instead of text')
    .configureHelp({
      showGlobalOptions: true,
      optionTerm: ({ flags, mandatory }) => (mandatory ? `${flags} (required)` : flags),
    })
    .configureOutput({
      writeOut: (text) => context.output.write(text),
      writeErr: (text) => context.errors.write(text),
      outputError: (message, write) => write(withoutValues(message)),
    })
    .showHelpAfterError('Run with --help to see the commands and options.')
    .exitOverride()
    .examples(
      [
        'program create --name Shop --site-url https://shop.example --commission-percentage 20',
        'advocate create --program ID --email jane@example.com --first-name Jane',
        'token create --program ID --json',
      ],
      `The commands work on the first table that applies:
  DYNAMODB_ENDPOINT is set             the table at that address
  TABLE_NAME is set, DATA_DIR is not   the table of that name on AWS
  otherwise                            the table of the running \`npm start\`, found through DATA_DIR
                                       (default: .local of the project)`,
    );
  addProgramCommands(admin, context);
  addAdvocateCommands(admin, context);
  addApplicationCommands(admin);
  addTokenCommands(admin, context);
  addDashboardCommand(admin, context);
  addMcpConfigCommand(admin, context);
  addMemberCommands(admin);
  addPeopleCommands(admin);
  addGroupCommands(admin);
  addCodeCommands(admin);
  addReferralCommands(admin, context);
  addLedgerCommands(admin, context);
  addExplainCommand(admin);
  addStatisticsCommands(admin, context);
  addStripeCommands(admin, context);
  addWebhookCommands(admin, context);
  addDoctorCommand(admin, context);
  return admin;
}
