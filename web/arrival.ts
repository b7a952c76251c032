import { cleanAddress } from './cross-domain.ts';
import { post, UNKNOWN_SLUG } from './post.ts';
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

const SLUG = /^[\da-z_-]{1,64}$/i;
/** The service accepts one line without control characters. An invalid sub id is dropped; the click is still sent. */
const SUB_ID = /^(?!.*\p{Cc}).{1,128}$/u;
/** Takes the place of the sub id after the retry. No encoded sub id contains it. */
const RETRIED = ':';

/** Queries that wait for permission to track, or for the service to refuse the first slug, which stays otherwise. */
const waiting: URLSearchParams[] = [];
/** The slug that the service refused last on this page. It is not followed again. */
let refused: string | undefined;
/** Address of the last page view. */
export let viewedAddress = '';
/** The `gr_id` of the click that this page sent last, until its response. */
let pending = '';

/** Reads the page's query, unless it already waits: consent must not move it behind calls made since. */
export function viewPage(): void {
  if (!waiting[0] || location.href !== viewedAddress) waiting.push(new URLSearchParams(location.search));
  viewedAddress = location.href;
  followWaiting();
}

/** Does the same as an arrival by the advocate's link: a malformed slug or sub id is dropped, as in a query. */
export function followSlug(slug: unknown, subId: unknown): void {
  waiting.push(new URLSearchParams({ [slugParameters[0] || '']: `${slug || ''}`, gr_sub: `${subId || ''}` }));
  followWaiting();
}

function followWaiting(): void {
  if (mayTrack()) waiting.splice(0).forEach(follow);
}

function follow(query: URLSearchParams): void {
  const find = (names: readonly string[], pattern: RegExp) =>
    names.map((name) => query.get(name) || '').find((text) => pattern.test(text)) || '';
  const linkedGrId = (otherDomains[0] && query.get('gr_id')) || '';
  const click = newGrId(find(slugParameters, SLUG).toLowerCase());
  // The gr_id from another domain is older than the slug: the visitor had it before following this link.
  replaceGrId(linkedGrId, query);
  replaceGrId(click, query, encodeURIComponent(find(['gr_sub', 'sub_id', 'sid'], SUB_ID)));
  send(click);
  if (linkedGrId) cleanAddress();
}

/** Stores a `gr_id` if it is new and the first one need not stay, and marks it as unsent if there is a sub id. */
function replaceGrId(grId: string, query: URLSearchParams, subId?: string): void {
  const next = slugOf(grId);
  const current = currentGrId();
  // Of several unanswered clicks in a row, the gr_id before all of them counts. An invalid one is ignored.
  const [, before = current] = readMark();
  if (!next || next === slugOf(current) || next === refused) return;
  if (current && keepsFirst) waiting.push(query);
  else {
    storeGrId(grId);
    if (subId !== undefined) writeMark(subId, !before || slugOf(before) ? before : current);
  }
}

/** Sends the current click if it is marked: a new one, or one that failed or that the visitor left too early. */
function send(newClick: string): void {
  const [encoded, previous = ''] = readMark();
  const click = currentGrId();
  // If the browser stores no cookies, nothing can be attributed, and every page would send another click.
  if (!click || click === pending || encoded === undefined) return;
  // Deleted before the sub id is decoded, because an invalid one throws.
  writeCookie(UNSENT_COOKIE);
  // A click is retried only once.
  if (encoded === RETRIED) return;
  const subId = decodeURIComponent(encoded);
  writeMark(newClick === click ? encoded : RETRIED, previous);
  pending = click;
  void post('click', { gr_id: click, sub_id: subId || undefined }).then((status) => {
    if (pending === click) pending = '';
    // Rate limits (429) and failures (5xx) are temporary: the click stays unanswered.
    if (status < 429 && mayTrack()) settle(click, previous, status);
  });
}

/** Ends what a click began, unless another tab or a later click has replaced it since. */
function settle(click: string, previous: string, status: number): void {
  const current = currentGrId();
  const [mark = '', before] = readMark();
  if (status === UNKNOWN_SLUG) {
    refused = slugOf(click);
    if (click === current) storeGrId(before || previous);
  } else if (click === current) writeCookie(UNSENT_COOKIE);
  // A later click is still unanswered, or was refused first: this one exists, so it counts as the one before.
  else if (previous === before) writeMark(mark, click);
  else if (refused && previous === current) storeGrId(click);
  followWaiting();
}

/**
 * Reads the cookie that marks the current click as unanswered, `<sub id>/<previous gr_id>`; both may be empty. It is
 * written before the click is sent and deleted when the service has responded, so it remains if the visitor leaves the
 * page in between: the next page sends the click once more. If the service refuses the slug, the previous `gr_id` is
 * restored. Earlier versions of the script wrote the sub id alone. This is a separate cookie because `gr_id` must be
 * exactly `<slug>.<click id>`, and other storage is not shared between www. and app.
 */
function readMark(): string[] {
  const marks = readCookies(UNSENT_COOKIE).map((text) => text.split('/'));
  return marks.pop() || [];
}

function writeMark(subId: string, previous: string): void {
  writeCookie(UNSENT_COOKIE, `${subId}/${previous}`, 86_400);
}
