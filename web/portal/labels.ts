import type { Schemas } from '../kit/api.ts';
import { ApiError } from '../kit/api-error.ts';
import { boundsOf, type Period } from '../kit/period.ts';
import { deepLink } from './deep-link.ts';
import { type Affiliate, api } from './service.ts';

type Counts = Schemas['Counts']['attributes']['total'];

/** What came over the links with a label in a range. */
export interface LabelRow {
  /** `null` for links without a label, and `undefined` for all that are not listed. */
  readonly label: string | null | undefined;
  readonly clicks: number;
  readonly signUps: number;
  readonly paying: number;
}

/**
 * Reads the labels of a range: the most paying customers first, then the most sign-ups, then the most clicks. Returns
 * `undefined` for a range with more visitors than the API counts: to read again repairs nothing.
 */
export async function readLabels(period: Period, signal: AbortSignal): Promise<LabelRow[] | undefined> {
  const { after, before } = boundsOf(period);
  const query = { group_by: 'sub_id', created_at_gt: after, created_at_lt: before } as const;
  const reply = await api.send('get', '/v2/affiliate/referrals/counts', { query, signal }).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'range_too_large')) throw error;
  });
  if (!reply) return undefined;
  const { groups, other } = reply.body.data.attributes;
  const rows = groups.map(({ key, ...counts }) => rowOf(key, counts)).sort(byWorth);
  return other ? [...rows, rowOf(undefined, other)] : rows;
}

const byWorth = (one: LabelRow, other: LabelRow) =>
  other.paying - one.paying || other.signUps - one.signUps || other.clicks - one.clicks;

/** A rejected referral was a visit, whatever it became. */
function rowOf(label: LabelRow['label'], { clicked, converted, paid, churned, rejected }: Counts): LabelRow {
  const signUps = converted + paid + churned;
  return { label, clicks: (clicked ?? 0) + signUps + rejected, signUps, paying: paid };
}

export const rulesOf = ({ slug, program }: Affiliate) => ({
  ...{ slug, siteUrl: program.site_url, linkParameter: program.link_parameter },
});

/** The advocate's link with a label. */
export function labelledLink(about: Affiliate, label: string): string {
  const made = deepLink('', label, rulesOf(about));
  return 'link' in made ? made.link : about.referral_link;
}
