import { cleanAddress } from './cross-domain.ts';
import { post } from './post.ts';
import { keepsFirst, otherDomains, slugParameters } from './settings.ts';
import {
  currentGrId,
  mayTrack,
  newGrId,
  readCookies,
  slugOf,
  storeGrId,
  UNSENT_COOKIE,
  writeCookie,
} from './visitor.ts';

const SLUG = /^[a-z\d-]{1,64}$/i;
/** The service accepts one line without control characters. An invalid sub id is dropped; the click is still sent. */
const SUB_ID = /^(?!.*\p{Cc}).{1,128}$/u;

/** Queries of page views for which tracking was not yet permitted. */
const waiting: URLSearchParams[] = [];
/** Address of the last page view. */
export let viewedAddress = '';
/** The `gr_id` of the click that this page sent and that has no response yet. */
let pending = '';

/** Reads the page's query. If tracking is permitted, processes all waiting queries and retries an unsent click. */
export function viewPage(): void {
  waiting.push(new URLSearchParams(location.search));
  if (mayTrack()) {
    waiting.splice(0).forEach(follow);
    retry();
  }
  viewedAddress = location.href;
}

function follow(query: URLSearchParams): void {
  const find = (names: string[], pattern: RegExp) =>
    names.map((name) => query.get(name) || '').find((text) => pattern.test(text));
  const linkedGrId = (otherDomains.length && query.get('gr_id')) || '';
  const slug = find(slugParameters, SLUG);
  const click = slug ? newGrId(slug.toLowerCase()) : '';
  // The gr_id from another domain is older than the slug: the visitor had it before following this link.
  for (const grId of [linkedGrId, click]) {
    const next = slugOf(grId);
    const current = slugOf(currentGrId());
    if (next && next !== current && !(current && keepsFirst)) storeGrId(grId);
  }
  // If the browser stores no cookies, nothing can be attributed, and every page would send another click.
  if (click === currentGrId()) {
    const subId = find(['gr_sub', 'sub_id'], SUB_ID);
    writeCookie(UNSENT_COOKIE, encodeURIComponent(subId || ''), 86_400);
    pending = click;
    void post('click', { gr_id: click, sub_id: subId }).then((status) => {
      if (pending !== click) return;
      pending = '';
      // A rejected click stays rejected. Rate limits (429) and failures (5xx) are temporary.
      if (status < 429) writeCookie(UNSENT_COOKIE);
    });
  }
  if (linkedGrId) cleanAddress();
}

/** Sends a click again if it failed, or if the visitor left the page before the response. */
function retry(): void {
  const grId = currentGrId();
  const [unsent] = readCookies(UNSENT_COOKIE);
  if (!grId || grId === pending || unsent === undefined) return;
  // Deleted before sending: a click is retried only once.
  writeCookie(UNSENT_COOKIE);
  void post('click', { gr_id: grId, sub_id: decodeURIComponent(unsent) || undefined });
}
