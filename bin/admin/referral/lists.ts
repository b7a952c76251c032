import { Option } from 'commander';
import { attributesIn } from '../../../functions/domain/field-list.ts';
import { parseSlug, parseSubId } from '../../../functions/domain/fields.ts';
import { parseWhole } from '../../../functions/domain/numbers.ts';
import { REFERRAL_FIELDS } from '../../../functions/domain/referral/referral-fields.ts';
import { STATES, type State } from '../../../functions/domain/referral/state.ts';
import { type FieldsOf, toMerchantReferral } from '../../../functions/http/referral.ts';
import { readPage } from '../../../functions/table/dynamodb/page.ts';
import { planReferrals, type ReferralFilters } from '../../../functions/table/dynamodb/plan.ts';
import { type ExportedReferral, exportReferrals } from '../../../functions/table/operator/referral-export.ts';
import { readProgramPage } from '../../../functions/table/referrals/program-list.ts';
import { parseListedReferral, parseProgramReferral } from '../../../functions/table/referrals/referral-item.ts';
import { requireAdvocate } from '../advocate/commands.ts';
import {
  type AdminCommand,
  type CliContext,
  decimal,
  NEXT_LINE,
  type ProgramOptions,
  type ProgramWork,
  requireProgram,
} from '../cli.ts';
import { InvalidArguments } from '../errors.ts';
import { exportRows, FORMAT, FORMAT_REMARK, formatOf } from '../export.ts';
import { EXPORTED_COLUMNS } from '../import/presets.ts';
import { type Rendered, renderList } from '../output.ts';
import { addRange, rangeOf, TIME_FORMAT } from '../time-range.ts';

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
const MORE = 'There are more rows. Raise --limit, narrow the times, or run `referral export`.';

/** Adds `referral list`. */
export function addReferralList(referral: AdminCommand): void {
  const command = referral
    .programCommand('list', 'list referrals, newest first; clicks only with --advocate and --state clicked')
    .option('--advocate <slug>', 'only referrals of this advocate (default: all, the latest change first)')
    .addOption(new Option('--state <state>', 'only referrals in this state').choices(STATES))
    .option('--sub-id <id>', 'only referrals with this sub id');
  addRange(addRange(command, 'created'), 'state_set')
    .option('--limit <number>', `number of rows, 1 to ${MAX_LIMIT}`, decimal, DEFAULT_LIMIT)
    .examples(
      [
        'referral list --program ID',
        'referral list --program ID --advocate jane-doe',
        `referral list --program ID --advocate jane-doe --state paid ${NEXT_LINE} --state-set-after 2026-01-31T00:00:00Z --json`,
      ],
      `With --state-set-after or --state-set-before, the last change of state comes first.
${TIME_FORMAT} Both bounds are exclusive.`,
    )
    .onProgram(({ advocate, state, subId, ...options }: ListOptions) => {
      const filters = {
        state,
        subId: subId === undefined ? undefined : parseSubId('sub_id', subId),
        createdAt: rangeOf('created', options.createdAfter, options.createdBefore),
        stateSetAt: rangeOf('state_set', options.stateSetAfter, options.stateSetBefore),
      };
      const limit = parseWhole('limit', options.limit, MAX_LIMIT);
      if (advocate === undefined) return listAll(filters, limit);
      const slug = parseSlug('advocate', advocate);
      return async ({ program, table }) => {
        await requireAdvocate(slug, program, table);
        const { items, next } = await readPage(table, planReferrals(program.id, slug, filters), { skip: 0 }, limit);
        const rows = items.map((item) => merchantFields({ ...parseListedReferral(item), advocateSlug: slug }));
        return render(rows, COLUMNS, next !== undefined);
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
    return render(rows, ['affiliate_slug', ...COLUMNS], after !== undefined);
  };
}

function render(
  rows: readonly ReturnType<typeof merchantFields>[],
  columns: readonly ((typeof COLUMNS)[number] | 'affiliate_slug')[],
  isMore: boolean,
): Rendered {
  const { json, text } = renderList(rows, columns, 'There are no such referrals.');
  return { json, text: (width) => (isMore ? `${text(width)}\n${MORE}` : text(width)) };
}

/** Renders a referral: its id, and its attributes in the API as the merchant sees them. */
export function merchantFields(referral: FieldsOf<'merchant'>) {
  const { id, attributes } = toMerchantReferral(referral);
  return { id, ...attributes };
}

/** Adds `referral export`. */
export function addReferralExport(referral: AdminCommand, context: CliContext): void {
  referral
    .programCommand('export', 'write all referrals of a program, including clicks, to standard output')
    .addOption(FORMAT)
    .examples(
      ['referral export --program ID > referrals.csv', 'referral export --program ID --format ndjson'],
      `${FORMAT_REMARK}, which
\`referral import\` removes.`,
    )
    .action((options: ProgramOptions, command: AdminCommand) =>
      context.onTable(async (table) => {
        const program = await requireProgram(options.program, table);
        await exportRows(context, formatOf(command), EXPORTED_COLUMNS, rowsIn(exportReferrals(table, program.id)));
      }),
    );
}

async function* rowsIn(pages: AsyncIterable<readonly ExportedReferral[]>) {
  for await (const referrals of pages) yield referrals.map(exportedFields);
}

function exportedFields(referral: ExportedReferral) {
  const { id, advocateSlug: advocate_slug } = referral;
  return { id, advocate_slug, ...attributesIn(REFERRAL_FIELDS, 'file', referral) };
}
