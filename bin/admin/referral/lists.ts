import { Option } from 'commander';
import { attributesIn } from '../../../functions/domain/field-list.ts';
import { parseSubId } from '../../../functions/domain/fields.ts';
import { REFERRAL_FIELDS } from '../../../functions/domain/referral/referral-fields.ts';
import { STATES, type State } from '../../../functions/domain/referral/state.ts';
import { type FieldsOf, toMerchantReferral } from '../../../functions/http/referral.ts';
import { readPage } from '../../../functions/table/dynamodb/page.ts';
import { planReferrals, type ReferralFilters } from '../../../functions/table/dynamodb/plan.ts';
import { exportReferrals } from '../../../functions/table/operator/referral-export.ts';
import { readProgramPage } from '../../../functions/table/referrals/program-list.ts';
import { parseListedReferral, parseProgramReferral } from '../../../functions/table/referrals/referral-item.ts';
import { requireAdvocate } from '../advocate/commands.ts';
import {
  type AdminCommand,
  addRange,
  type CliContext,
  NEXT_LINE,
  type ProgramWork,
  rangeOf,
  slugOf,
  TIME_RANGE,
  whole,
} from '../cli.ts';
import { InvalidArguments } from '../errors.ts';
import { FORMAT_REMARK, mapPages, writesRows } from '../export.ts';
import { EXPORTED_COLUMNS } from '../import/presets.ts';
import { renderList } from '../output.ts';

type Times = Partial<Record<'createdAfter' | 'createdBefore' | 'stateSetAfter' | 'stateSetBefore', string>>;
type ListOptions = Times & { advocate?: string; state?: State; subId?: string; limit: number };

const COLUMNS = ['id', 'email', 'uid', 'state', 'state_set_at', 'created_at', 'sub_id', 'flags'] as const;
const DEFAULT_LIMIT = 50;
/** About 35 MB of rows, which are kept in memory. An export has no limit. */
const MAX_LIMIT = 100_000;
/** Rows in one round of requests of the list of all referrals. */
const ROWS_AT_ONCE = 500;
const ONE_ADVOCATE =
  'Clicks, --sub-id, --created-after and --created-before are available for one advocate. Add --advocate.';
const NONE = 'There are no such referrals.';
const MORE = 'There are more rows. Raise --limit, narrow the times, or run `referral export`.';

export function addReferralList(referral: AdminCommand): void {
  const command = referral
    .programCommand('list', 'list referrals, newest first; clicks only with --advocate and --state clicked')
    .option('--advocate <slug>', 'only referrals of this advocate (default: all, the latest change first)', slugOf)
    .addOption(new Option('--state <state>', 'only referrals in this state').choices(STATES))
    .option('--sub-id <id>', 'only referrals with this sub id', (text) => parseSubId('sub_id', text));
  addRange(addRange(command, 'created'), 'state_set')
    .option('--limit <number>', `number of rows, 1 to ${MAX_LIMIT}`, whole('limit', MAX_LIMIT), DEFAULT_LIMIT)
    .examples(
      [
        'referral list --program ID',
        'referral list --program ID --advocate jane-doe',
        `referral list --program ID --advocate jane-doe --state paid ${NEXT_LINE} --state-set-after 2026-01-31T00:00:00Z --json`,
      ],
      `With --state-set-after or --state-set-before, the last change of state comes first.
${TIME_RANGE}`,
    )
    .onProgram(({ advocate: slug, state, subId, limit, ...options }: ListOptions) => {
      const filters = {
        state,
        subId,
        createdAt: rangeOf('created', options.createdAfter, options.createdBefore),
        stateSetAt: rangeOf('state_set', options.stateSetAfter, options.stateSetBefore),
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

export function merchantFields(referral: FieldsOf<'merchant'>) {
  const { id, attributes } = toMerchantReferral(referral);
  return { id, ...attributes };
}

export function addReferralExport(referral: AdminCommand, context: CliContext): void {
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
    EXPORTED_COLUMNS,
    () =>
      async ({ program, table }) =>
        mapPages(exportReferrals(table, program.id), (referral) => {
          const { id, advocateSlug: advocate_slug } = referral;
          return { id, advocate_slug, ...attributesIn(REFERRAL_FIELDS, 'file', referral) };
        }),
  );
}
