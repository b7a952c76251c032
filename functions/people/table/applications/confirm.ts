import { advocatesWithEmail } from '../../../kernel/accounts/table/advocate-emails.ts';
import { commit } from '../../../kernel/dynamodb/commit.ts';
import { EXISTS } from '../../../kernel/dynamodb/conditions.ts';
import { applicationKey, draftKey, peopleSettingsKey, programKey } from '../../../kernel/dynamodb/keys.ts';
import { batchGet, retryOnConflict, type Table } from '../../../kernel/dynamodb/table.ts';
import { checkWrite, deleteWrite } from '../../../kernel/dynamodb/writes.ts';
import { secondOf } from '../../../kernel/time.ts';
import { confirmed } from '../../rules/applications/application.ts';
import type { Application } from '../../rules/applications/application-fields.ts';
import { InvalidLink } from '../../rules/errors.ts';
import type { LinkCode } from '../../rules/link-code.ts';
import { readCode } from '../link-codes.ts';
import { parsePeopleSettings } from '../people-settings.ts';
import { isDisposable } from './disposable.ts';
import { applicantWrite, applicationWrite, parseApplication, sameDraft } from './items.ts';

const NEW = { value: undefined, version: 0 };

/**
 * Reads the application that a link was sent about, as it was sent. Throws `InvalidLink`, also if the address has sent another
 * one since.
 */
export async function lookUpApplication(table: Table, code: LinkCode): Promise<Application> {
  const { known, draft } = await readLinked(table, code);
  const application = known ?? draft;
  if (!application) throw new InvalidLink();
  return application;
}

/**
 * Confirms the application that a link was sent about, which is then pending. Returns it as it is if it was confirmed before: a
 * response may have been lost. Throws `InvalidLink`; then nothing is written.
 */
export function confirmApplication(table: Table, code: LinkCode): Promise<Application> {
  const { program, address } = code;
  return retryOnConflict<Application>(table, async () => {
    const { known: before, draft, settings } = await readLinked(table, code);
    if (before) return { result: before };
    if (!draft) throw new InvalidLink();
    const isAdvocate = (await advocatesWithEmail(table, program, address, { limit: 1 })).length > 0;
    const known = { isDisposable: isDisposable(draft.email), isAdvocate, now: secondOf(table.clock()) };
    const pending = confirmed(draft, settings, known);
    const writes = [
      checkWrite('program', programKey(program), EXISTS),
      deleteWrite('draft', draftKey(program, address), sameDraft(draft)),
      applicationWrite(program, pending, NEW),
      applicantWrite(program, pending),
    ];
    return commit(table, writes, pending, (failed) => {
      if (failed.has('program')) throw new InvalidLink();
    });
  });
}

/** Reads the application of a link's code, before and after it is confirmed, and the settings. Throws `InvalidLink`. */
async function readLinked(table: Table, code: LinkCode) {
  const { program, address } = code;
  const { application: id } = await readCode(table, code, 'confirm', secondOf(table.clock()));
  if (id === null) throw new InvalidLink();
  const keys = [applicationKey(program, id), draftKey(program, address), peopleSettingsKey(program)];
  const [known, sent, settings] = await batchGet(table, keys);
  const now = secondOf(table.clock());
  const { value: draft } = parseApplication(sent, now);
  return {
    known: parseApplication(known, now).value,
    draft: draft?.id === id ? draft : undefined,
    settings: parsePeopleSettings(settings),
  };
}
