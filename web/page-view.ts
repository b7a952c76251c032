import { cookiesOf, deleteCookie, writeCookie } from './cookies.ts';
import { newGrId, slugOf } from './gr-id.ts';
import { cleanAddress } from './hand-over.ts';
import { post } from './post.ts';
import { keepsFirst, otherDomains, slugParameters } from './settings.ts';
import { currentGrId, mayTrack, remember, UNSENT_COOKIE } from './visitor.ts';

const SLUG = /^[a-z\d-]{1,64}$/i;
/** What the service takes: a click must not be lost for its sub id. */
const SUB_ID = /^[^\p{Cc}\u2028\u2029]{1,128}$/u;

/** The queries of pages that were seen while nothing might be kept. */
const waiting: URLSearchParams[] = [];

/** Reads the address of the page, and does what follows from it and from the pages before, once that may be done. */
export function viewPage(): void {
  waiting.push(new URLSearchParams(location.search));
  if (!mayTrack()) return;
  waiting.splice(0).forEach(follow);
  const grId = currentGrId();
  const [unsent] = cookiesOf(UNSENT_COOKIE);
  if (!grId || unsent === undefined) return;
  // Before the second try: there is no third.
  deleteCookie(UNSENT_COOKIE);
  void sendClick(grId, decodeURIComponent(unsent));
}

function follow(query: URLSearchParams): void {
  const handedOver = (otherDomains.length && query.get('gr_id')) || '';
  const slug = slugParameters.map((name) => query.get(name) || '').find((text) => SLUG.test(text));
  const click = slug ? newGrId(slug.toLowerCase()) : '';
  // What was handed over is the older: the visitor had it before following the link that led here.
  for (const grId of [handedOver, click]) {
    const next = slugOf(grId);
    const known = slugOf(currentGrId());
    if (next && next !== known && !(known && keepsFirst)) remember(grId);
  }
  // Where the browser keeps no cookie there is nothing to attribute, and every page would send a click of its own.
  if (click === currentGrId()) {
    const [subId = ''] = SUB_ID.exec(query.get('gr_sub') || query.get('sub_id') || '') || [];
    void sendClick(click, subId).then((isUnsent) => {
      if (isUnsent) writeCookie(UNSENT_COOKIE, encodeURIComponent(subId), 86_400);
    });
  }
  if (handedOver) cleanAddress();
}

/** Sends a click. Resolves to true where it is worth another try: what the service refuses, it refuses for good. */
async function sendClick(grId: string, subId: string): Promise<boolean> {
  const status = await post('click', { gr_id: grId, sub_id: subId || undefined });
  return (status >= 500 || status === 429) && currentGrId() === grId;
}
