import { Option } from 'commander';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { findAdvocate } from '../../../functions/kernel/accounts/table/advocate-items.ts';
import { rulesOf } from '../../../functions/kernel/accounts/table/commission-rules.ts';
import { readPage } from '../../../functions/kernel/dynamodb/page.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { ReferralNotFound } from '../../../functions/kernel/errors.ts';
import { attributesIn, namesSet } from '../../../functions/kernel/fields/field-list.ts';
import { MAX_UID, parseEmail, parseSubId, parseText } from '../../../functions/kernel/fields/fields.ts';
import { isUuidv7 } from '../../../functions/kernel/ids.ts';
import { type FieldsOf, toHistoryEntry, toMerchantReferral } from '../../../functions/referrals/http/referral.ts';
import { exportReferrals } from '../../../functions/referrals/operator/referral-export.ts';
import type { HistoryEntry } from '../../../functions/referrals/rules/history.ts';
import { REFERRAL_FIELDS } from '../../../functions/referrals/rules/referral-fields.ts';
import { SETTABLE_STATES, STATES, type State } from '../../../functions/referrals/rules/state.ts';
import { planReferrals, type ReferralFilters } from '../../../functions/referrals/table/advocate-referrals.ts';
import { type FoundReferral, lookUpReferral } from '../../../functions/referrals/table/customers.ts';
import { readProgramPage } from '../../../functions/referrals/table/program-referrals.ts';
import { parseListedReferral, parseProgramReferral } from '../../../functions/referrals/table/referral-item.ts';
import { eraseReferral, reassignReferral, setReferralState } from '../../../functions/referrals/table/referrals.ts';
import { advocateFieldsIn, requireAdvocate } from '../advocate/commands.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, type ProgramWork } from '../cli.ts';
import { Failure, InvalidArguments } from '../errors.ts';
import { BROUGHT_COLUMNS, broughtColumns, FORMAT_REMARK, mapPages, writesRows } from '../export.ts';
import { EXPORTED_COLUMNS } from '../import/presets.ts';
import * as option from '../options.ts';
import { flat, type Rendered, renderList, renderObject } from '../output.ts';
import { sentenceOf } from '../terms/groups.ts';
import { addReferralImport } from './import.ts';

type ReferralOptions = Partial<Record<'email' | 'uid' | 'id', string>>;

type Work = (found: FoundReferral, program: Program, table: Table) => Promise<Rendered>;

export function addReferralCommands(admin: AdminCommand, context: CliContext): void {
  const referral = admin
    .command('referral')
    .description('referrals: the customers referred by advocates, and the clicks on referral links');

  addReferralList(referral);
  referralCommand(referral, 'show', 'show a referral with its advocate, its flags and its history').onProgram(
    (options: ReferralOptions) =>
      onReferral(options, async (found, program, table) => {
        const advocate = await findAdvocate(table, program.id, found.referral.advocateSlug);
        const rules = await rulesOf(table, program.id, found.referral);
        return referralDetails(program, found, advocate, rules && sentenceOf(rules));
      }),
  );

  const setting = 'set the state of a referral, as the merchant does through the API';
  referralCommand(referral, 'set-state', setting, `${NEXT_LINE} --state paid`)
    .addOption(new Option('--state <state>', 'new state').choices(SETTABLE_STATES).makeOptionMandatory())
    .onProgram(({ state, ...options }: ReferralOptions & { state: State }) =>
      onReferral(options, async ({ referral: { id } }, program, table) => {
        const changed = await setReferralState(table, program.id, id, { state, actor: 'operator' });
        return renderObject(merchantFields(changed));
      }),
    );

  const reassigning = "move a referral to another advocate, at that advocate's rate; its state and its times stay";
  referralCommand(referral, 'reassign', reassigning, `${NEXT_LINE} --advocate jane-doe`)
    .requiredOption('--advocate <slug>', 'slug of the new advocate', option.slug)
    .onProgram(({ advocate: slug, ...options }: ReferralOptions & { advocate: string }) =>
      onReferral(options, async ({ referral: { id } }, program, table) => {
        const reference = { id, email: null, uid: null };
        const moved = await reassignReferral(table, program, reference, { slug, actor: 'operator' });
        return renderObject(merchantFields(moved));
      }),
    );

  const erasing = 'erase a person: delete email, uid and flags from every record; the state and its times stay';
  referralCommand(referral, 'erase', erasing).onProgram((options: ReferralOptions) =>
    onReferral(
      options,
      async ({ referral: { id } }, program, table) => {
        const { state, ...fields } = await eraseReferral(table, program.id, id, 'operator');
        const erased = namesSet(REFERRAL_FIELDS, 'personal', fields);
        // The idempotency record is internal: people see only the customer's fields.
        const { text } = renderObject({ id, state, erased: erased.filter((name) => name !== 'idempotency_record') });
        return { json: { id, state, erased }, text };
      },
      ', or the person was erased already',
    ),
  );

  addReferralImport(referral, context);
  addReferralExport(referral, context);
}

function referralCommand(referral: AdminCommand, verb: string, description: string, option = ''): AdminCommand {
  const calls = ['--email customer@example.com', '--uid customer-4711', '--id REFERRAL_ID'].map((customer) =>
    `referral ${verb} --program ID ${customer} ${option}`.trimEnd(),
  );
  return referral
    .programCommand(verb, description)
    .addOption(new Option('--email <address>', "the customer's email").conflicts(['uid', 'id']))
    .addOption(new Option('--uid <uid>', "the merchant's own id of the customer").conflicts('id'))
    .option('--id <id>', 'id of the referral')
    .examples(calls, 'Give exactly one of --email, --uid and --id.');
}

/** Returns `work` on the referral that the options identify. `otherReason` is why an email or a uid may be unknown. */
function onReferral(options: ReferralOptions, work: Work, otherReason = ''): ProgramWork {
  const option = (['email', 'uid', 'id'] as const).find((name) => options[name] !== undefined);
  if (!option) throw new InvalidArguments('--email, --uid or --id is required. Give exactly one of them.');
  const reference = {
    email: options.email === undefined ? null : parseEmail('email', options.email),
    uid: options.uid === undefined ? null : parseText('uid', options.uid, MAX_UID),
    id: options.id?.toLowerCase() ?? null,
  };
  return async ({ program, table }) => {
    try {
      // Invalid ids are not looked up, because DynamoDB limits the length of keys.
      if (reference.id !== null && !isUuidv7(reference.id)) throw new ReferralNotFound();
      return await work(await lookUpReferral(table, program.id, reference), program, table);
    } catch (error) {
      if (!(error instanceof ReferralNotFound)) throw error;
      // An erased referral still has its id.
      const reason = option === 'id' ? '' : otherReason;
      const problem = `No referral of the program has the ${option} in --${option}${reason}.`;
      throw new Failure(`${problem} Run \`referral export\` to list all referrals.`, { cause: error });
    }
  };
}

function referralDetails(
  program: Program,
  { referral, brought }: FoundReferral,
  found: Advocate | undefined,
  rules: string | null,
): Rendered {
  const fields = { ...merchantFields(referral), credited_by: referral.creditedBy, code: referral.code };
  const advocate = found ? advocateFieldsIn(program)(found) : null;
  const { payments, revenue, commission } = broughtColumns(brought);
  const more = {
    commission_rules: rules,
    ...{ payments, revenue: String(revenue) || null, commission: String(commission) || null },
    advocate_email: advocate?.email ?? null,
    advocate_name: [advocate?.first_name, advocate?.last_name].filter(Boolean).join(' ') || null,
  };
  const history = renderList(referral.history.map(historyRow), ['change', 'set_at', 'by'], '');
  return {
    json: { ...fields, payments, revenue, commission, advocate, history: referral.history.map(toHistoryEntry) },
    text: (width) => `${renderObject(fields, more).text(width)}\n${history.text(width)}`,
  };
}

function historyRow(entry: HistoryEntry) {
  const { setAt: set_at, by } = entry;
  switch (entry.type) {
    case 'state': {
      const { state, lost } = entry;
      return { change: lost === undefined ? state : `${state}, not for ${lost}`, set_at, by };
    }
    case 'reassignment':
      return { change: `moved from ${entry.from} to ${entry.to}`, set_at, by };
    case 'erasure':
      return { change: 'erased', set_at, by };
  }
}

type Times = Partial<Record<'createdAfter' | 'createdBefore' | 'stateSetAfter' | 'stateSetBefore', string>>;
type ListOptions = Times & { advocate?: string; state?: State; subId?: string; limit: number };

const COLUMNS = ['id', 'email', 'uid', 'state', 'state_set_at', 'created_at', 'sub_id', 'flags'] as const;
/** About 35 MB of rows, which are kept in memory. An export has no limit. */
const MAX_LIMIT = 100_000;
/** Rows in one round of requests of the list of all referrals. */
const ROWS_AT_ONCE = 500;
const ONE_ADVOCATE =
  'Clicks, --sub-id, --created-after and --created-before are available for one advocate. Add --advocate.';
const NONE = 'There are no such referrals.';
const MORE = 'There are more rows. Raise --limit, narrow the times, or run `referral export`.';

function addReferralList(referral: AdminCommand): void {
  const command = referral
    .programCommand('list', 'list referrals, newest first; clicks only with --advocate and --state clicked')
    .option('--advocate <slug>', 'only referrals of this advocate (default: all, the latest change first)', option.slug)
    .addOption(new Option('--state <state>', 'only referrals in this state').choices(STATES))
    .option('--sub-id <id>', 'only referrals with this sub id', (text) => parseSubId('sub_id', text));
  option.addRange(option.addRange(command, 'created'), 'state_set');
  option
    .addLimit(command, MAX_LIMIT)
    .examples(
      [
        'referral list --program ID',
        'referral list --program ID --advocate jane-doe',
        `referral list --program ID --advocate jane-doe --state paid ${NEXT_LINE} --state-set-after 2026-01-31T00:00:00Z --json`,
      ],
      `With --state-set-after or --state-set-before, the last change of state comes first.
${option.TIME_RANGE}`,
    )
    .onProgram(({ advocate: slug, state, subId, limit, ...options }: ListOptions) => {
      const filters = {
        state,
        subId,
        createdAt: option.range('created', options.createdAfter, options.createdBefore),
        stateSetAt: option.range('state_set', options.stateSetAfter, options.stateSetBefore),
      };
      if (slug === undefined) return listAll(filters, limit);
      return async ({ program, table }) => {
        await requireAdvocate(slug, program, table);
        const { items, next } = await readPage(table, planReferrals(program.id, slug, filters), { skip: 0 }, limit);
        const rows = items.map((item) => merchantFields({ ...parseListedReferral(item), advocateSlug: slug }));
        return renderList(rows, COLUMNS, NONE, next === undefined ? undefined : MORE);
      };
    });
}

/** Returns the work that lists all referrals of a program. Throws `InvalidArguments` for filters of one advocate. */
function listAll({ state, stateSetAt, subId, createdAt }: ReferralFilters, limit: number): ProgramWork {
  if (subId !== undefined || createdAt || state === 'clicked') throw new InvalidArguments(ONE_ADVOCATE);
  const filters = { state, stateSetAt, flag: undefined };
  return async ({ program, table }) => {
    const rows: ReturnType<typeof merchantFields>[] = [];
    let after: string | undefined;
    do {
      const size = Math.min(limit - rows.length, ROWS_AT_ONCE);
      const page = await readProgramPage(table, program.id, filters, { after, size });
      rows.push(...page.items.map((item) => merchantFields(parseProgramReferral(item))));
      after = page.next;
    } while (after !== undefined && rows.length < limit);
    return renderList(rows, ['affiliate_slug', ...COLUMNS], NONE, after === undefined ? undefined : MORE);
  };
}

const merchantFields = (referral: FieldsOf<'merchant'>) => flat(toMerchantReferral(referral));

function addReferralExport(referral: AdminCommand, context: CliContext): void {
  const command = referral
    .programCommand('export', 'write all referrals of a program, including clicks, to standard output')
    .examples(
      ['referral export --program ID > referrals.csv', 'referral export --program ID --format ndjson'],
      `${FORMAT_REMARK}, which
\`referral import\` removes.`,
    );
  writesRows(
    command,
    context,
    [...EXPORTED_COLUMNS, ...BROUGHT_COLUMNS],
    () =>
      async ({ program, table }) =>
        mapPages(exportReferrals(table, program.id), ({ referral, brought }) => {
          const { id, advocateSlug: advocate_slug } = referral;
          const fields = attributesIn(REFERRAL_FIELDS, 'file', referral);
          return { id, advocate_slug, ...fields, ...broughtColumns(brought) };
        }),
  );
}
