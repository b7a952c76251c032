import { cookiesOf, writeCookie } from './cookies.ts';
import { slugOf } from './gr-id.ts';
import { cookieSeconds, needsConsent } from './settings.ts';

const COOKIE = 'gr_id';
/**
 * Says to the next page that the click of the first cookie may be unsent, and with what sub id. It is written before the
 * click is sent and deleted when the service has answered: so it stays where the page is left in between. A mark within the
 * first cookie would change its value, which is `<slug>.<click id>` and nothing else; any other storage would keep www.
 * from app.
 */
export const UNSENT_COOKIE = 'gr_unsent';

let hasConsent = !needsConsent;

/** True where something may be kept and sent: with consent, and neither under GPC nor in a frame of another origin. */
export function mayTrack(): boolean {
  try {
    // Throws where the top window is of another origin, and in a sandbox without cookies.
    return hasConsent && !navigator.globalPrivacyControl && (top || window).document.cookie !== undefined;
  } catch {
    return false;
  }
}

/** Takes the visitor's answer for this page; a refusal deletes what was kept. Returns true where consent is new. */
export function setConsent(given: boolean): boolean {
  const isNew = given && !hasConsent;
  hasConsent = given;
  if (!given) keep();
  return isNew;
}

/**
 * The visitor's `gr_id`, where it may be known. The last one is the one of the script: before it come those of deeper paths
 * (RFC 6265 section 5.4), which others have written and a script cannot delete without knowing their path.
 */
export function currentGrId(): string | undefined {
  return mayTrack() ? cookiesOf(COOKIE).filter(slugOf).pop() : undefined;
}

/** Keeps a `gr_id`, or none, in place of all that was kept. */
export function keep(grId?: string): void {
  writeCookie(COOKIE);
  writeCookie(UNSENT_COOKIE);
  if (grId) writeCookie(COOKIE, grId, cookieSeconds);
}
