import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { load, request, StepFailure, shown } from '../request.ts';
import { type Policy, parsePolicies } from './policy.ts';

export interface Tag {
  readonly name: string;
  /** By name in lower case; an attribute without a value has the value `''`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
}

export interface Page {
  readonly url: URL;
  readonly tags: readonly Tag[];
  readonly policies: readonly Policy[];
}

export interface Embedding {
  readonly page: Page;
  readonly tag: Tag;
  readonly before: readonly Tag[];
  readonly src: URL;
}

/** The line that a page needs before the tag of the script (docs/script.md, Embed it). */
export const QUEUE_LINE = '<script>window.gr=window.gr||function(){(gr.q=gr.q||[]).push(arguments)}</script>';

/** MIME types of classic scripts in use (https://mimesniff.spec.whatwg.org/#javascript-mime-type). */
const CLASSIC = /^(?:|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i;
const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/** Loads a page. Throws `StepFailure` if that fails or if the page is not HTML. */
export async function loadPage(address: URL): Promise<Page> {
  const { url, text, headers } = await load(address, 'The page', HTML);
  const policy = headers.get('content-security-policy');
  return { url, tags: tagsOf(text), policies: policy === null ? [] : parsePolicies(policy) };
}

/** Returns the elements of a page in order, except the inactive elements in templates. */
export function tagsOf(html: string): Tag[] {
  const tags: Tag[] = [];
  // Not recursive: elements can be nested more deeply than functions.
  const pending: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (!('childNodes' in node)) continue;
    for (const child of node.childNodes.toReversed()) pending.push(child);
    if (!('tagName' in node)) continue;
    const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
    tags.push({ name: node.tagName, attributes: new Map(node.attrs.map(({ name, value }) => [name, value])), text });
  }
  return tags;
}

/** True for a script that a browser runs while it reads the page, and not as a module. */
export function isClassicScript({ name, attributes }: Tag): boolean {
  return name === 'script' && CLASSIC.test((attributes.get('type') ?? '').trim());
}

export function srcOf(page: Page, tag: Tag): URL | undefined {
  const src = tag.attributes.get('src');
  const base = page.tags.find(({ name, attributes }) => name === 'base' && attributes.has('href'));
  const { href } = URL.parse(base?.attributes.get('href') ?? '', page.url.href) ?? page.url;
  return (src === undefined ? undefined : URL.parse(src.trim(), href)) ?? undefined;
}

/** Finds the tag of the tracking script, or of a copy. Throws `StepFailure` unless there is exactly one that runs. */
export function findEmbedding(page: Page, baseUrl: string): Embedding {
  const found = page.tags.flatMap((tag, index) => {
    const src = tag.name === 'script' ? srcOf(page, tag) : undefined;
    const isOurs = src && (tag.attributes.has('data-pk') || /(?:^|\/)gr\.js$/.test(src.pathname));
    return isOurs ? [{ page, tag, before: page.tags.slice(0, index), src }] : [];
  });
  const [embedding, ...others] = found;
  if (!embedding) {
    const advice =
      'Add the two lines below to the HTML of the page. doctor cannot see a tag that another script adds, such as a tag manager.';
    const lines = [advice, QUEUE_LINE, `<script async src="${baseUrl}/gr.js" data-pk="…"></script>`];
    throw new StepFailure('The page has no tag of the tracking script.', lines.join('\n'));
  }
  if (others.length > 0) {
    const advice = 'Keep one and remove the others: only one of them runs.';
    throw new StepFailure(`The page has ${found.length} tags of the tracking script.`, advice);
  }
  if (!isClassicScript(embedding.tag)) {
    const advice = 'Remove its attribute type: in a module, the script cannot read data-pk.';
    throw new StepFailure('A browser does not run the tag as a classic script.', advice);
  }
  assertNotMixed(page, embedding.src);
  return embedding;
}

/** Checks the file that a tag loads, and returns the base URL of the service that it reports to, with a slash. */
export async function serviceOf({ page, src }: Embedding, baseUrl: string): Promise<string> {
  const { text, url } = await load(src, 'The script', /\b(?:java|ecma)script\b/i);
  if (!/\bgr_id\b/.test(text) || !text.includes('v2/tracking/')) {
    const advice = `Load it from ${baseUrl}/gr.js, or build a copy with npm run build:script.`;
    throw new StepFailure(`The file ${shown(url)} is not the tracking script.`, advice);
  }
  // A copy may contain the base URL of its service. Without one, it reports to the folder that it is loaded from.
  const [, built] = /["'`](https?:\/\/[^"'`\s]*\/)["'`]/.exec(text) ?? [];
  if (built !== undefined && built !== `${baseUrl}/`) {
    const advice = `Build it with npm run build:script -- --base-url ${baseUrl}`;
    throw new StepFailure(`The script reports to another service: ${built}`, advice);
  }
  const service = built ?? new URL('.', src).href;
  assertNotMixed(page, new URL(service));
  // The steps before have tested the service itself.
  if (service !== `${baseUrl}/`) await assertForwarded(new URL('v2/tracking/click', service));
  return service;
}

/** A copy on a merchant's server reports to that server, which must forward the requests. The service rejects this one. */
async function assertForwarded(url: URL): Promise<void> {
  const { response } = await request(url, 'The response to a click', { method: 'POST', body: '{}' });
  if (response.status === 400 && response.headers.get('x-error-code') === 'invalid_field') return;
  const why = `${shown(url)}, to which the copy of the script reports, does not lead to the service.`;
  const advice = 'Let your server forward these requests, or build the copy with npm run build:script -- --base-url.';
  throw new StepFailure(why, advice);
}

/** Browsers block http in an https page, except from the visitor's machine (https://www.w3.org/TR/mixed-content/). */
function assertNotMixed(page: Page, url: URL): void {
  const isLocal = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (page.url.protocol !== 'https:' || url.protocol !== 'http:' || isLocal) return;
  const advice = 'Serve the script with https, and change its address in the page.';
  throw new StepFailure(`The page uses https, but ${url.origin} does not: browsers block it.`, advice);
}
