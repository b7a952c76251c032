import { listsOrigin, type Program, programIdOf } from '../../../../functions/kernel/accounts/rules/program.ts';
import { findProgram } from '../../../../functions/kernel/accounts/table/programs.ts';
import { uuidv7 } from '../../../../functions/kernel/ids.ts';
import { milliseconds } from '../../../../functions/kernel/time.ts';
import type { CliContext } from '../../cli.ts';
import { load, request, StepFailure, shown } from '../request.ts';
import type { Advised, Step } from '../run.ts';
import * as html from './embedding.ts';
import * as policies from './policy.ts';

/** The queue line of docs/script.md, or other code that defines `gr`, such as a module's. */
const QUEUE = /\b(?:window|self|globalThis)\.gr\s*(?:\|\||\?\?)?=(?!=)|\bfunction\s+gr\s*\(/;
const POLICY = 'The Content-Security-Policy';
const CONVERSION = /\bgr\s*\(\s*(['"`])track\1\s*,\s*(['"`])conversion\2/;
/** The parameters that the script reads without `data-parameters` (docs/script.md, Attributes). */
const DEFAULT_PARAMETERS = 'via,ref,red,refby';
const MAX_FILES = 10;

type Context = Pick<CliContext, 'onTable' | 'clock' | 'random'>;

export function pageSteps(address: URL, baseUrl: string, context: Context): readonly Step[] {
  const page = once(() => html.loadPage(address));
  const embedding = once(async () => html.findEmbedding(await page(), baseUrl));
  const service = once(async () => html.serviceOf(await embedding(), baseUrl));
  const program = once(async () => findOwner(await embedding(), context.onTable));
  const step = (name: string, need: string, run: Step['run']): Step => ({ name, needs: [need], run });
  return [
    {
      name: 'page',
      run: async () => {
        const { url } = await page();
        return `${url.href === address.href ? `${shown(url)} is` : `redirects lead to ${shown(url)}, which is`} HTML`;
      },
    },
    step('script tag', 'page', async () => `the page loads ${shown((await embedding()).src)}`),
    step('script file', 'script tag', async () => `it is the tracking script, and reports to ${await service()}`),
    step('public key', 'script tag', async () => `it belongs to the program ${(await program()).id}`),
    step('link parameter', 'public key', async () => checkParameter(await embedding(), await program())),
    step('queue line', 'script tag', async () => checkQueueLine(await embedding())),
    step('security policy', 'script file', async () => checkPolicies(await embedding(), new URL(await service()))),
    step('allowed origin', 'public key', async () => checkOrigin(await page(), await program())),
    step('cookie renewal', 'page', async () => describeRenewal((await page()).url, context)),
  ];
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= work());
}

async function findOwner({ tag }: html.Embedding, onTable: CliContext['onTable']): Promise<Program> {
  const publicKey = tag.attributes.get('data-pk');
  if (publicKey === undefined) {
    const advice = 'Add the public key of the program. `program list --json` prints it.';
    throw new StepFailure('The tag of the script has no data-pk.', advice);
  }
  const id = programIdOf(publicKey);
  const program = id === undefined ? undefined : await onTable((table) => findProgram(table, id));
  if (program) return program;
  const advice =
    'Correct data-pk. `program list --json` prints the public keys. Doctor and the service must use the same table.';
  throw new StepFailure('No program in the table has the key in data-pk.', advice);
}

function checkParameter({ tag }: html.Embedding, { linkParameter }: Program): string {
  const attribute = tag.attributes.get('data-parameters');
  const parameters = (attribute || DEFAULT_PARAMETERS).split(/[\s,]+/);
  if (parameters.includes(linkParameter)) {
    return `the script reads ${linkParameter}, which the links of the program have`;
  }
  const value = `"${[linkParameter, ...parameters].join(',')}"`;
  // Browsers ignore an attribute that occurs a second time.
  const change = attribute === undefined ? `Add data-parameters=${value} to` : `Change data-parameters to ${value} in`;
  const why = `The links of the program have the parameter ${linkParameter}, which the script does not read.`;
  throw new StepFailure(why, `${change} the tag of the script.`);
}

/** The line must run before the script's tag, inline or in a file that the browser waits for. */
async function checkQueueLine(embedding: html.Embedding): Promise<string> {
  const { page, before } = embedding;
  if (queueTag(embedding)) return 'calls that are made before the script has loaded are kept';
  const files = before
    .filter((tag) => html.isClassicScript(tag) && !tag.attributes.has('async') && !tag.attributes.has('defer'))
    .flatMap((tag) => html.srcOf(page, tag) ?? []);
  for (const file of files.slice(0, MAX_FILES)) {
    const { text } = await load(file, 'The script', /./).catch(() => ({ text: '' }));
    if (QUEUE.test(text)) return `${shown(file)} keeps calls that are made before the script has loaded`;
  }
  const why = 'The queue line is not before the tag of the script: earlier calls of gr fail.';
  throw new StepFailure(why, `Add this line above the tag: ${html.QUEUE_LINE}`);
}

function queueTag({ before }: html.Embedding) {
  return before.find((tag) => html.isClassicScript(tag) && !tag.attributes.has('src') && QUEUE.test(tag.text));
}

/** Checks the policies of the header, and of the meta tags before the script: each of them must allow everything. */
function checkPolicies(embedding: html.Embedding, service: URL): string {
  const { page, before, tag, src } = embedding;
  const isPolicy = ({ name, attributes }: html.Tag) =>
    name === 'meta' && attributes.get('http-equiv')?.trim().toLowerCase() === 'content-security-policy';
  const inPage = before.filter(isPolicy).map(({ attributes }) => attributes.get('content') ?? '');
  const all = [...page.policies, ...inPage.flatMap(policies.parsePolicies)];
  const line = queueTag(embedding);
  for (const policy of all) {
    const blocked = (what: string, advice: string) => new StepFailure(`${POLICY} blocks ${what}.`, advice);
    const add = (source: string, what: 'script' | 'connection') =>
      `Add ${source} to ${policies.directiveFor(policy, what)} of the Content-Security-Policy.`;
    if (!policies.allowsScript(policy, src, page.url, tag.attributes.get('nonce'))) {
      const nonce = "Give the tag of the script the page's nonce, because the policy contains 'strict-dynamic'.";
      throw blocked('the script', policies.needsNonce(policy) ? nonce : add(src.origin, 'script'));
    }
    if (line && !policies.allowsInline(policy, line.text, line.attributes.get('nonce'))) {
      throw blocked('the queue line', add(policies.hashSource(line.text), 'script'));
    }
    if (!policies.allowsConnection(policy, new URL('v2/tracking/click', service), page.url)) {
      throw blocked('requests to the service', add(service.origin, 'connection'));
    }
  }
  if (all.length === 0) return 'the page has no Content-Security-Policy';
  return 'the Content-Security-Policy allows the script and its requests';
}

function checkOrigin({ url, tags }: html.Page, program: Program): string {
  const sends = tags.some((tag) => tag.name === 'script' && CONVERSION.test(tag.text));
  if (!sends) return 'the HTML of the page sends no conversions';
  if (listsOrigin(program, url.origin)) return `the page sends conversions, and the program allows ${url.origin}`;
  const origins = [...program.allowedOrigins, url.origin].map((origin) => `--allowed-origin ${origin}`).join(' ');
  const advice = `Run \`program update --program ${program.id} ${origins}\`, or report conversions from your server only.`;
  throw new StepFailure(`The page sends conversions, but the program does not allow ${url.origin}.`, advice);
}

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
    const what = 'the server does not renew gr_id, which Safari deletes after 7 days without an interaction';
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
