import { Option } from 'commander';
import type { AdvocateFields } from '../../functions/kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../functions/kernel/accounts/rules/advocate-fields.ts';
import { assertGroup } from '../../functions/kernel/accounts/table/groups.ts';
import { checkInputs } from '../../functions/kernel/fields/field-list.ts';
import { parseLines } from '../../functions/kernel/fields/lines.ts';
import { toApplication } from '../../functions/people/http/applications/mapping.ts';
import { REJECTION_BODY } from '../../functions/people/http/applications/schema.ts';
import type { Rejection } from '../../functions/people/rules/applications/application.ts';
import {
  APPLICATION_STATES,
  type Application,
  type ApplicationState,
} from '../../functions/people/rules/applications/application-fields.ts';
import {
  approveApplication,
  listApplications,
  rejectApplication,
} from '../../functions/people/table/applications/decide.ts';
import { advocateFieldsIn, LINK_IS_SENT, withNewFields } from './advocate/commands.ts';
import { type AdminCommand, NEXT_LINE } from './cli.ts';
import * as option from './options.ts';
import { flat, renderList, renderObject } from './output.ts';

type IdOptions = { readonly id: string };

const COLUMNS = ['id', 'email', 'first_name', 'last_name', 'answers', 'flags', 'created_at'] as const;
const MAX_LIMIT = 1000;
const NONE = 'There are no such applications.';
const MORE = 'There are more applications. Raise --limit.';
const APPROVED_BEFORE = 'The application was approved before. This is its advocate, unchanged.';
const MAX_NOTE = REJECTION_BODY.properties.note.maxLength;
/** An id as it is stored. */
const lowerCase = (text: string): string => text.toLowerCase();
const ID = ['--id <application-id>', 'id of the application, as shown by `application list`', lowerCase] as const;

export function addApplicationCommands(admin: AdminCommand): void {
  const application = admin.command('application').description('applications of people who want to be advocates');
  addList(application);

  withNewFields(
    application
      .programCommand('approve', 'create the advocate of an application, by default with its names')
      .requiredOption(...ID),
  )
    .examples(
      [
        'application approve --program ID --id APPLICATION_ID',
        `application approve --program ID --id APPLICATION_ID ${NEXT_LINE} --slug jane --commission-percentage 25 --json`,
      ],
      LINK_IS_SENT,
    )
    .onProgram(({ id, ...options }: IdOptions & Partial<Omit<AdvocateFields, 'email'>>) => {
      // Checks the options before the table is read.
      const fields = checkInputs(ADVOCATE_FIELDS, options);
      return async ({ program, table }) => {
        await assertGroup(table, program.id, fields.group);
        const { advocate, isNew } = await approveApplication(table, program, id, fields);
        return renderObject(advocateFieldsIn(program)(advocate), {}, isNew ? LINK_IS_SENT : APPROVED_BEFORE);
      };
    });

  application
    .programCommand('reject', 'reject an application')
    .requiredOption(...ID)
    .option('--note <text>', `what you say about it, at most ${MAX_NOTE} characters`, (text) =>
      parseLines('note', text, MAX_NOTE),
    )
    .option('--notify', 'send the applicant an email with the note')
    .option('--may-apply-again', 'the address may apply again immediately, not only after 180 days')
    .examples(
      [
        'application reject --program ID --id APPLICATION_ID',
        `application reject --program ID --id APPLICATION_ID ${NEXT_LINE} --note "We only work with shops in Germany." --notify --json`,
      ],
      'The answers are deleted after 30 days. An application that was rejected before stays as it is.',
    )
    .onProgram(({ id, note = null, notify = false, mayApplyAgain = false }: IdOptions & Partial<Rejection>) => {
      return async ({ program, table }) => {
        const rejected = await rejectApplication(table, program.id, id, { note, notify, mayApplyAgain });
        return { json: flat(toApplication(rejected)), text: renderObject(shownFields(rejected)).text };
      };
    });
}

function addList(application: AdminCommand): void {
  const command = application
    .programCommand('list', 'list applications, newest first')
    .addOption(
      new Option('--state <state>', 'state of the applications').choices(APPLICATION_STATES).default('pending'),
    );
  option
    .addLimit(command, MAX_LIMIT)
    .onProgram(
      ({ state, limit }: { readonly state: ApplicationState; readonly limit: number }) =>
        async ({ program, table }) => {
          const found = await listApplications(table, program.id, state, { start: { skip: 0 }, size: limit });
          const rows = found.applications;
          const { text } = renderList(
            rows.map(shownFields),
            COLUMNS,
            NONE,
            found.next === undefined ? undefined : MORE,
          );
          return { json: rows.map((row) => flat(toApplication(row))), text };
        },
    );
}

/** The fields of an application for a table: each answer below the question as it was asked. */
const shownFields = (application: Application) => ({
  ...flat(toApplication(application)),
  answers: application.answers.map(({ label, answer }) => `${label}: ${answer}`),
});
