import { showAdvocate } from './advocate.ts';
import { fieldOf, listOf, textOf } from './fields.ts';
import { type CountsByMonth, parseCountsByMonth, parseReferral, type Referral } from './referral.ts';
import { type Reply, report, send } from './service.ts';

/** Maximum number of pages to read: guards against a list without an end. */
const MAX_PAGES = 200;

/** The short-lived affiliate token that the merchant's backend gave this page; empty before the first one. */
let token = '';
/** How often the token was forgotten. A token that was requested before that belongs to an earlier session. */
let session = 0;

// A page from the browser's back/forward cache may be older than the session: the visitor may have joined since.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) forgetToken();
});

/** Makes the next request get a new token, and with it the advocate who is signed in by then. */
export function forgetToken(): void {
  token = '';
  session += 1;
}

/** Counts the referrals of the advocate. Rejects with a sentence for the visitor. */
export async function countReferrals(): Promise<CountsByMonth> {
  const { json, problem } = await sendAsAdvocate('/v2/affiliate/referrals/counts?group_by=month');
  if (problem !== null) throw new Error(problem);
  return parseCountsByMonth(fieldOf(json, 'data'));
}

/** Lists all referrals of the advocate, latest change first. Rejects with a sentence for the visitor. */
export async function listReferrals(): Promise<Referral[]> {
  // Clicks are listed separately, and first: one that converts in between is then in both lists, never in neither.
  const clicks = await listAllPages('?state_eq=clicked&per_page=50');
  const others = await listAllPages('?per_page=50');
  const byId = new Map([...clicks, ...others].map((referral) => [referral.id, referral]));
  return [...byId.values()].sort((a, b) => b.stateSetAt - a.stateSetAt || (a.id < b.id ? 1 : -1));
}

async function listAllPages(query: string): Promise<Referral[]> {
  const referrals: Referral[] = [];
  let next: string | undefined = query;
  for (let page = 1; next !== undefined && page <= MAX_PAGES; page += 1) {
    const { json, link, problem } = await sendAsAdvocate(`/v1/affiliate/referrals${next}`);
    if (problem !== null) throw new Error(problem);
    referrals.push(...listOf(fieldOf(json, 'data')).map(parseReferral));
    next = /(\?[^>]*)>; rel="next"/.exec(link)?.[1];
  }
  return referrals;
}

/** Sends a GET request with the advocate's token. An expired token is replaced by a new one. */
async function sendAsAdvocate(address: string): Promise<Reply> {
  if (token !== '') {
    const reply = await sendWithToken(address);
    if (reply.status !== 401) return reply;
  }
  const current = session;
  const created = await report('token');
  if (current !== session) return sendAsAdvocate(address);
  if (created.problem !== null) return created;
  token = textOf(fieldOf(created.json, 'token')) ?? '';
  const field = (name: string) => textOf(fieldOf(created.json, name)) ?? '';
  showAdvocate({
    slug: field('slug'),
    firstName: field('first_name'),
    lastName: field('last_name'),
    isOwn: fieldOf(created.json, 'is_own') === true,
  });
  return sendWithToken(address);
}

function sendWithToken(address: string): Promise<Reply> {
  return send(address, { headers: { authorization: `Bearer ${token}` } });
}
