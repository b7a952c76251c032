import { cookiesOf, deleteCookie, writeCookie } from './cookies.ts';
import { slugOf } from './gr-id.ts';
import { cookieSeconds, needsConsent } from './settings.ts';

const COOKIE = 'gr_id';
/**
 * Says to the next page that the click of the first cookie was not sent, and with what sub id. It is written after a
 * failure only. A mark within the first cookie would change its value, which is `<slug>.<click id>` and nothing else; any
 * other storage would keep www. from app.
 */
export const UNSENT_COOKIE = 'gr_unsent';

let hasConsent = !needsConsent;

/** True where something may be kept and sent: with consent, and neither under GPC nor in a frame of another origin. */
export function mayTrack(): boolean {
  try {
    // Throws where the top window is of another origin, and in a sandbox without cookies.
    return hasConsent && !navigator.globalPrivacyControl && window.top?.document.cookie !== undefined;
  } catch {
    return false;
  }
}

/** Takes the visitor's answer for this page; a refusal deletes what was kept. Returns true where consent is new. */
export function setConsent(given: boolean): boolean {
  const isNew = given && !hasConsent;
  hasConsent = given;
  if (!given) forget();
  return isNew;
}

/** The visitor's `gr_id`, where it may be known. */
export function currentGrId(): string | undefined {
  return mayTrack() ? cookiesOf(COOKIE).find(slugOf) : undefined;
}

/** Keeps a `gr_id` in place of all that was kept, so that no older cookie can stand before it. */
export function remember(grId: string): void {
  forget();
  writeCookie(COOKIE, grId, cookieSeconds);
}

function forget(): void {
  deleteCookie(COOKIE);
  deleteCookie(UNSENT_COOKIE);
}
