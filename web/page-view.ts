import { cookiesOf, writeCookie } from './cookies.ts';
import { newGrId, slugOf } from './gr-id.ts';
import { cleanAddress } from './hand-over.ts';
import { post } from './post.ts';
import { keepsFirst, otherDomains, slugParameters } from './settings.ts';
import { currentGrId, keep, mayTrack, UNSENT_COOKIE } from './visitor.ts';

const SLUG = /^[a-z\d-]{1,64}$/i;
/** What the service takes, which is one line without control characters: a click must not be lost for its sub id. */
const SUB_ID = /^(?!.*\p{Cc}).{1,128}$/u;

/** The queries of pages that were seen while nothing might be kept. */
const waiting: URLSearchParams[] = [];

/** The address of the last page view. */
export let viewed = '';

/** The last click that this page has sent for the first time, until it is answered. */
let pending = '';

/** Reads the address of the page, and does what follows from it and from the pages before, once that may be done. */
export function viewPage(): void {
  waiting.push(new URLSearchParams(location.search));
  if (mayTrack()) {
    waiting.splice(0).forEach(follow);
    retry();
  }
  viewed = location.href;
}

function follow(query: URLSearchParams): void {
  const find = (names: string[], pattern: RegExp) =>
    names.map((name) => query.get(name) || '').find((text) => pattern.test(text));
  const handedOver = (otherDomains.length && query.get('gr_id')) || '';
  const slug = find(slugParameters, SLUG);
  const click = slug ? newGrId(slug.toLowerCase()) : '';
  // What was handed over is the older: the visitor had it before following the link that led here.
  for (const grId of [handedOver, click]) {
    const next = slugOf(grId);
    const known = slugOf(currentGrId());
    if (next && next !== known && !(known && keepsFirst)) keep(grId);
  }
  // Where the browser keeps no cookie there is nothing to attribute, and every page would send a click of its own.
  if (click === currentGrId()) {
    const subId = find(['gr_sub', 'sub_id'], SUB_ID);
    writeCookie(UNSENT_COOKIE, encodeURIComponent(subId || ''), 86_400);
    pending = click;
    void post('click', { gr_id: click, sub_id: subId }).then((status) => {
      if (pending !== click) return;
      pending = '';
      // What the service refuses, it refuses for good: not so a rate (429) or a failure (5xx).
      if (status < 429) writeCookie(UNSENT_COOKIE);
    });
  }
  if (handedOver) cleanAddress();
}

/** Sends a click once more that failed, or that was not answered before its page was left. */
function retry(): void {
  const grId = currentGrId();
  const [unsent] = cookiesOf(UNSENT_COOKIE);
  if (!grId || grId === pending || unsent === undefined) return;
  // Before the second try: there is no third.
  writeCookie(UNSENT_COOKIE);
  void post('click', { gr_id: grId, sub_id: decodeURIComponent(unsent) || undefined });
}
