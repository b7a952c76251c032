import { draftAdvocate } from '../../../advocates/rules/advocate-changes.ts';
import { createAdvocate } from '../../../advocates/table/advocates.ts';
import type { Advocate } from '../../../kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../kernel/accounts/rules/program.ts';
import { findAdvocate } from '../../../kernel/accounts/table/advocate-items.ts';
import { commit } from '../../../kernel/dynamodb/commit.ts';
import { applicationKey, applicationsInState, automaticApprovalsKey, keyOf } from '../../../kernel/dynamodb/keys.ts';
import { type PageStart, readPage } from '../../../kernel/dynamodb/page.ts';
import { ALL_TIME } from '../../../kernel/dynamodb/plan.ts';
import { batchGet, get, type Outcome, retryOnConflict, type Table } from '../../../kernel/dynamodb/table.ts';
import type { LabelledWrite } from '../../../kernel/dynamodb/writes.ts';
import { isUuidv7, uuidv7 } from '../../../kernel/ids.ts';
import { secondOf } from '../../../kernel/time.ts';
import {
  type ApprovedFields,
  approved,
  draftOf,
  isAutomatic,
  type Rejection,
  rejected,
} from '../../rules/applications/application.ts';
import type { Application, ApplicationState } from '../../rules/applications/application-fields.ts';
import { AUTOMATIC_APPROVALS, budgetNow, hasRoom } from '../../rules/applications/budgets.ts';
import { ApplicationDecided, ApplicationNotFound } from '../../rules/errors.ts';
import {
  applicantWrite,
  applicationWrite,
  budgetWrite,
  parseApplication,
  parseBudget,
  type Versioned,
} from './items.ts';

/** An advocate, and whether this approval created it. */
export interface Approval {
  readonly advocate: Advocate;
  readonly isNew: boolean;
}

/** An application, with its number of writes for optimistic locking. */
type ReadApplication = Versioned<Application> & { readonly value: Application };

/** Reads an application whose address is confirmed. Throws `ApplicationNotFound`. */
async function readApplication(table: Table, program: string, id: string): Promise<ReadApplication> {
  // DynamoDB limits the length of keys.
  if (!isUuidv7(id)) throw new ApplicationNotFound();
  const { value, version } = parseApplication(await get(table, applicationKey(program, id)), secondOf(table.clock()));
  if (!value) throw new ApplicationNotFound();
  return { value, version };
}

/**
 * Approves an application: creates its advocate, with all claims, in the same transaction. Returns the same advocate if it was
 * approved before. Throws `ApplicationNotFound`, `ApplicationDecided` if it was rejected, `SlugTaken` or `UidTaken`; then
 * nothing is written.
 */
export function approveApplication(
  table: Table,
  program: Program,
  id: string,
  fields: ApprovedFields,
): Promise<Approval> {
  const advocateId = uuidv7(table.clock(), table.random);
  return retryOnConflict<Approval>(table, async () => {
    const before = await readApplication(table, program.id, id);
    return attemptApproval(table, program, before, { advocateId, fields });
  });
}

/**
 * Approves a confirmed application that nothing speaks against, in a program that approves automatically. Returns it as it is
 * after 50 approvals of a day, and if the merchant has decided meanwhile. Throws `ApplicationNotFound` if it was erased.
 */
export async function approveAutomatically(table: Table, program: Program, id: string): Promise<Application> {
  const advocateId = uuidv7(table.clock(), table.random);
  const key = automaticApprovalsKey(program.id);
  return retryOnConflict<Application>(table, async () => {
    const read = await readApplication(table, program.id, id);
    const application = read.value;
    const now = secondOf(table.clock());
    const before = parseBudget(await get(table, key));
    const budget = budgetNow(before.value, AUTOMATIC_APPROVALS, now);
    if (!isAutomatic(application, now) || !hasRoom(budget, AUTOMATIC_APPROVALS)) return { result: application };
    const count = budgetWrite('approvals', key, { ...budget, count: budget.count + 1 }, before);
    const outcome = await attemptApproval(table, program, read, { advocateId, fields: {}, also: [count] });
    if ('conflict' in outcome) return outcome;
    return { result: approved(application, outcome.result.advocate.slug, now) };
  });
}

/** How an application becomes an advocate. */
interface Approver {
  readonly advocateId: string;
  readonly fields: ApprovedFields;
  /** Further writes of the transaction. */
  readonly also?: readonly LabelledWrite<string>[];
}

async function attemptApproval(
  table: Table,
  program: Program,
  before: ReadApplication,
  { advocateId, fields, also = [] }: Approver,
): Promise<Outcome<Approval>> {
  const { value: application } = before;
  if (application.state === 'rejected') throw new ApplicationDecided();
  if (application.slug !== null) {
    const advocate = await findAdvocate(table, program.id, application.slug);
    if (!advocate) throw new ApplicationNotFound();
    return { result: { advocate, isNew: false } };
  }
  const now = secondOf(table.clock());
  const { termsVersion, createdAt } = application;
  const drafted = draftAdvocate(draftOf(application, fields), program, { id: advocateId, now, random: table.random });
  const accepted = { application: application.id, termsVersion, acceptedAt: termsVersion === null ? null : createdAt };
  try {
    const advocate = await createAdvocate(
      table,
      program.id,
      { ...drafted.advocate, ...accepted },
      {
        otherSlugs: drafted.otherSlugs,
        also: ({ slug }) => [
          applicationWrite(program.id, approved(application, slug, now), before),
          applicantWrite(program.id, approved(application, slug, now)),
          ...also,
        ],
        refuse: (failed) => {
          if (failed.has('application') || failed.has('approvals')) throw new Overtaken();
        },
      },
    );
    return { result: { advocate, isNew: true } };
  } catch (error) {
    if (error instanceof Overtaken) return { conflict: error };
    throw error;
  }
}

/** Another write came first. */
class Overtaken extends Error {}

/**
 * Rejects an application, and returns it. A rejected application stays as it is. Throws `ApplicationNotFound`, or
 * `ApplicationDecided` if it was approved; then nothing is written.
 */
export function rejectApplication(
  table: Table,
  program: string,
  id: string,
  rejection: Rejection,
): Promise<Application> {
  return retryOnConflict<Application>(table, async () => {
    const before = await readApplication(table, program, id);
    const { value: application } = before;
    if (application.state === 'approved') throw new ApplicationDecided();
    if (application.state === 'rejected') return { result: application };
    const now = secondOf(table.clock());
    const after = rejected(application, rejection, now);
    return commit(table, [applicationWrite(program, after, before), applicantWrite(program, after)], after);
  });
}

/** Lists the applications of a program in a state, newest first. */
export async function listApplications(
  table: Table,
  program: string,
  state: ApplicationState,
  { start, size }: { readonly start: PageStart; readonly size: number },
): Promise<{ readonly applications: readonly Application[]; readonly next: string | undefined }> {
  const partition = applicationsInState(program, state);
  const page = await readPage(
    table,
    { index: 'by_program_state', partition, range: ALL_TIME, filter: {} },
    start,
    size,
  );
  const now = secondOf(table.clock());
  const applications = (await batchGet(table, page.items.map(keyOf)))
    .flatMap((item) => parseApplication(item, now).value ?? [])
    // The index may be late.
    .filter((application) => application.state === state);
  return { applications, next: page.next };
}
