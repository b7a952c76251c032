import { Option } from 'commander';
import { MAX_SUB_ID, parseSlug, parseText } from '../../../functions/domain/fields.ts';
import { parseWhole } from '../../../functions/domain/program.ts';
import { STATES, type State } from '../../../functions/domain/referral/state.ts';
import { type FieldsOf, toMerchantReferral } from '../../../functions/http/referral.ts';
import { readPage } from '../../../functions/table/dynamodb/page.ts';
import { planReferrals, type ReferralFilters } from '../../../functions/table/dynamodb/plan.ts';
import { parseListedReferral } from '../../../functions/table/referrals/referral-item.ts';
import { requireAdvocate } from '../advocate/fields.ts';
import { type AdminCommand, decimal, NEXT_LINE } from '../cli.ts';
import { renderList } from '../output.ts';
import { addRange, rangeOf, TIME_FORMAT } from '../time-range.ts';

type Times = Partial<Record<'createdAfter' | 'createdBefore' | 'stateSetAfter' | 'stateSetBefore', string>>;

interface ListOptions extends Times {
  readonly advocate: string;
  readonly state?: State;
  readonly subId?: string;
  readonly limit: number;
}

const DEFAULT_LIMIT = 50;
/** About 35 MB of rows, which are kept in memory. An export has no limit. */
const MAX_LIMIT = 100_000;

/** Adds `referral list`. */
export function addReferralList(referral: AdminCommand): void {
  const command = referral
    .programCommand('list', "list an advocate's referrals, newest first; clicks only with --state clicked")
    .requiredOption('--advocate <slug>', 'slug of the advocate')
    .addOption(new Option('--state <state>', 'only referrals in this state').choices(STATES))
    .option('--sub-id <id>', 'only referrals with this sub id');
  addRange(addRange(command, 'created'), 'state_set')
    .option('--limit <number>', `number of rows, 1 to ${MAX_LIMIT}`, decimal, DEFAULT_LIMIT)
    .examples(
      [
        'referral list --program ID --advocate jane-doe',
        `referral list --program ID --advocate jane-doe --state paid ${NEXT_LINE} --state-set-after 2026-01-31T00:00:00Z --json`,
      ],
      `With --state-set-after or --state-set-before, the last change of state comes first.
${TIME_FORMAT} Both bounds are exclusive.`,
    )
    .onProgram((options: ListOptions) => {
      const slug = parseSlug('advocate', options.advocate);
      const filters = filtersOf(options);
      const limit = parseWhole('limit', options.limit, MAX_LIMIT);
      return async ({ program, table }) => {
        await requireAdvocate(slug, program, table);
        const { items, next } = await readPage(table, planReferrals(program.id, slug, filters), { skip: 0 }, limit);
        const rows = items.map((item) => merchantFields({ ...parseListedReferral(item), advocateSlug: slug }));
        const { json, text } = renderList(rows, COLUMNS, 'The advocate has no such referrals.');
        return { json, text: (width) => (next === undefined ? text(width) : `${text(width)}\n${MORE}`) };
      };
    });
}

const COLUMNS = ['id', 'email', 'uid', 'state', 'state_set_at', 'created_at', 'sub_id', 'flags'] as const;
const MORE = 'There are more rows. Raise --limit, narrow the times, or run `referral export`.';

function filtersOf({ state, subId, ...times }: ListOptions): ReferralFilters {
  return {
    state,
    subId: subId === undefined ? undefined : parseText('sub_id', subId, MAX_SUB_ID),
    createdAt: rangeOf('created', times.createdAfter, times.createdBefore),
    stateSetAt: rangeOf('state_set', times.stateSetAfter, times.stateSetBefore),
  };
}

/** Renders a referral: its id, and its attributes in the API as the merchant sees them. */
export function merchantFields(referral: FieldsOf<'merchant'>) {
  const { id, attributes } = toMerchantReferral(referral);
  return { id, ...attributes };
}
