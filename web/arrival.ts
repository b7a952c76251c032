import { cleanAddress } from './cross-domain.ts';
import { post } from './post.ts';
import { safely } from './safely.ts';
import { keepsFirst, otherDomains, publicKey, slugParameters } from './settings.ts';
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

/** Begins the mark of a click, once for each time that it was sent. Query parsers ignore it. */
const SENT = '&';

/** A `gr_id`, valid or not, and the sub id of its click as a query, see `readMark`. */
type Arrival = readonly (string | undefined)[];

/** Arrivals that wait for permission to track, or for the service to refuse the first slug, which stays otherwise. */
const waiting: Arrival[] = [];
/** The slug that the service refused last on this page. It is not followed again. */
let refused: string | undefined;
/** Address of the last page view. */
export let viewedAddress = '';
/** True if a page view retries a click: in a new document, and after a click of this page has failed. */
let mayRetry = true;
/** True for a second after this page has sent a click. */
let isResting = false;

/** Reads the page's query, unless it already waits: consent must not move it behind calls made since. */
export function viewPage(): void {
  if (!waiting[0] || location.href !== viewedAddress) readQuery(new URLSearchParams(location.search));
  viewedAddress = location.href;
  followWaiting(mayRetry);
}

/** Does the same as an arrival by the advocate's link: a malformed slug or sub id, of any type, is dropped, as in a query. */
export function followSlug(slug?: string, subId?: string): void {
  readQuery(new URLSearchParams({ [slugParameters[0] || '']: slug || '', gr_sub: subId || '' }));
  followWaiting();
}

function readQuery(query: URLSearchParams): void {
  const find = (names: readonly string[], pattern: RegExp) =>
    names.map((name) => query.get(name) || '').find((text) => pattern.test(text)) || '';
  const linkedGrId = (otherDomains[0] && query.get('gr_id')) || '';
  const slug = find(slugParameters, /^[\da-z_-]{1,64}$/i).toLowerCase();
  // The service accepts one line without control characters and invisible ones. An invalid sub id is dropped; the click is
  // still sent.
  const subId = find(['gr_sub', 'sub_id', 'sid'], /^(?!.*[\p{Cc}\p{Cf}]).{1,128}$/u);
  waiting.push(
    // The gr_id from another domain is older than the slug: the visitor had it before following this link. Payment
    // providers return it with an underscore, because their reference fields allow no dot.
    [linkedGrId.replace(/_(?=.{36}$)/, '.')],
    [newGrId(slug), `${new URLSearchParams({ sid: subId })}`],
  );
}

/** Follows what waits if it may, sends the click that results, and removes an adopted `gr_id` from the address. */
function followWaiting(isRetry?: boolean): void {
  if (!mayTrack()) return;
  waiting.splice(0).forEach(follow);
  send(isRetry);
  cleanAddress();
}

/** Stores a `gr_id` if it is new and the first one need not stay, and marks its click as unsent. */
function follow(arrival: Arrival): void {
  const [grId, subId] = arrival;
  const next = slugOf(grId);
  const current = currentGrId();
  // Of several unanswered clicks in a row, the gr_id before all of them counts. An invalid one is ignored.
  const [mark = SENT, before = current] = readMark();
  if (!next || next === slugOf(current) || next === refused) return;
  if (current && keepsFirst) waiting.push(arrival);
  else {
    storeGrId(grId);
    writeMark(subId, !before || slugOf(before) ? before : current, mark[0] === SENT ? '' : current);
  }
}

/**
 * Sends the current click if it is marked: a new click, or in a retry a click that failed or that the visitor left too early.
 * At most one a second: an earlier new click waits, and only the last one is sent.
 */
function send(isRetry?: boolean): void {
  const [mark, previous, skipped] = readMark();
  const click = currentGrId();
  // If the browser stores no cookies, nothing can be attributed, and every page would send another click.
  if (isResting || !click || mark === undefined || (mark[0] === SENT && !isRetry)) return;
  writeCookie(UNSENT_COOKIE);
  // A click is retried only once. Without a public key, none is sent.
  if (!publicKey || mark[1] === SENT) return;
  writeMark(SENT + mark, previous, skipped);
  mayRetry = false;
  isResting = true;
  setTimeout(() => {
    isResting = false;
    safely(followWaiting);
  }, 1000);
  post('click', { gr_id: click, sub_id: new URLSearchParams(mark).get('sid') || undefined })
    .then((response) => settle(click, previous, response))
    .catch(() => {
      mayRetry = true;
    });
}

/** Ends what a click began, unless another tab or a later click has replaced it since. */
function settle(click: string, previous: string | undefined, { status, headers }: Response): void {
  // Rate limits (429) and failures (5xx) are temporary: the click stays unanswered.
  mayRetry = status >= 429;
  if (mayRetry || !mayTrack()) return;
  const current = currentGrId();
  const [mark, before, skipped] = readMark();
  if (status === 400 && headers.get('x-error-code') === 'invalid_affiliate_slug') {
    refused = slugOf(click);
    if (click === current) {
      storeGrId(before || previous);
      follow([skipped]);
    }
  } else if (click === current) writeCookie(UNSENT_COOKIE);
  // A later click is still unanswered, or was refused first: this click exists, so it counts as the previous click.
  else if (previous === before) writeMark(mark, click, skipped);
  else if (refused && previous === current) storeGrId(click);
  followWaiting();
}

/**
 * Reads the cookie that marks the current click as unanswered, `<sub id as a query>/<previous gr_id>/<skipped gr_id>`;
 * each may be empty. It is written before the click is sent and deleted when the service has responded, so it remains if
 * the visitor leaves the page in between: the next page sends the click once more. If the service refuses the slug, the
 * previous `gr_id` is restored, and then the skipped one is followed: it was stored before the current one, but its click
 * was never sent. This is a separate cookie because `gr_id` must be exactly `<slug>.<click id>`, and other storage is not
 * shared between www. and app. Its parts may be anything: visitors and other scripts can write it.
 */
function readMark(): string[] {
  const marks = readCookies(UNSENT_COOKIE).map((text) => text.split('/'));
  return marks.pop() || [];
}

function writeMark(...parts: (string | undefined)[]): void {
  writeCookie(UNSENT_COOKIE, parts.join('/'), 86_400);
}
