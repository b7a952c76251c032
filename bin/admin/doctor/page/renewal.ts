import { uuidv7 } from '../../../../functions/domain/ids.ts';
import { milliseconds } from '../../../../functions/domain/time.ts';
import type { CliContext } from '../../cli.ts';
import type { Advised } from '../run.ts';
import { request } from './fetch.ts';

const HOUR = 3_600_000;
const SECTION = 'docs/script.md, "The cookie in Safari"';

/** Requests a page as a visitor with the cookie `gr_id`, and describes whether the response sets the cookie again. */
export async function describeRenewal(
  url: URL,
  { clock, random }: Pick<CliContext, 'clock' | 'random'>,
): Promise<string | Advised> {
  // Not the current time: the server's clock may be behind, and clicks in the future are not renewed.
  const grId = `doctor.${uuidv7(milliseconds(clock() - HOUR), random)}`;
  const { response } = await request(url, 'The page', { headers: { cookie: `gr_id=${grId}` } });
  const cookies = response.headers.getSetCookie().filter((cookie) => /^\s*gr_id\s*=/i.test(cookie));
  if (cookies.length === 0) {
    const what = 'the server does not renew gr_id, which Safari deletes after 7 days without a visit';
    return { what, advice: `Set the cookie again on your server: ${SECTION}.` };
  }
  const faults = cookies.flatMap((cookie) => faultsOf(cookie, grId, new URL(response.url)));
  if (faults.length === 0) return 'the server renews gr_id, which Safari would otherwise delete after 7 days';
  const what = 'the server sets gr_id, but not as the script does';
  return { what, advice: `Set it with ${faults.join(', ')}: ${SECTION}.` };
}

/** Lists what a `Set-Cookie` of a page lacks to replace the cookie that the script has written. */
export function faultsOf(cookie: string, grId: string, { hostname, protocol }: URL): string[] {
  const [first = '', ...rest] = cookie.split(';');
  const [, value] = pairOf(first);
  const attributes = new Map(rest.map(pairOf));
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase() ?? hostname;
  const hasEnd = Number(attributes.get('max-age')) > 0 || attributes.has('expires');
  const needs: readonly (readonly [isMissing: boolean, need: string])[] = [
    [value !== grId, 'the unchanged value'],
    [attributes.has('httponly'), 'no HttpOnly, because the script reads it'],
    [attributes.get('path') !== '/', 'Path=/'],
    [!`.${hostname}`.endsWith(`.${domain}`), `a Domain that contains ${hostname}`],
    [attributes.get('samesite')?.toLowerCase() !== 'lax', 'SameSite=Lax'],
    [protocol === 'https:' && !attributes.has('secure'), 'Secure'],
    [!hasEnd, 'Max-Age'],
  ];
  return needs.flatMap(([isMissing, need]) => (isMissing ? [need] : []));
}

function pairOf(text: string): readonly [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  return [name.trim().toLowerCase(), value.join('=').trim()];
}
