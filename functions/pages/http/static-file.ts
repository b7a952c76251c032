import type { HttpEvent, HttpResult } from '../../kernel/http/context.ts';

/** A file that never changes while the function runs, with everything that its responses need. */
export interface StaticFile {
  /** Sent with 200 and 304. */
  readonly caching: Readonly<Record<string, string>> & { readonly etag: string };
  /** Sent with 200 only. */
  readonly content: Readonly<Record<string, string>>;
  readonly text: string;
  /** The compressed text in base64 by content coding, best first. */
  readonly compressed: Readonly<Record<string, string>>;
}

/** The tracking script, the pages, the script that embeds one of them, and the text for assistants. The build writes each beside the bundle. */
export const PAGE_FILES = ['script', 'portal', 'account', 'portal-script', 'dashboard', 'llms'] as const;
export type PageFile = (typeof PAGE_FILES)[number];

/** Reads a file of the build: a `StaticFile` as JSON. */
export type ReadPage = (name: PageFile) => Promise<string>;

/** Returns a function that reads each file once. */
export function readOnce(read: ReadPage): (name: PageFile) => Promise<StaticFile> {
  const files = new Map<PageFile, StaticFile>();
  return async (name) => {
    const file: StaticFile = files.get(name) ?? JSON.parse(await read(name));
    files.set(name, file);
    return file;
  };
}

/** Responds with a file as the request's headers ask: compressed, as it is, or with 304. */
export function fileResponse({ caching, content, text, compressed }: StaticFile, headers: Headers): HttpResult {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  // The comparison is weak (RFC 9110 section 13.1.2).
  if (known.includes('*') || known.some((tag) => tag.replace(/^(?:W\/)?/, 'W/') === caching.etag)) {
    return { statusCode: 304, headers: caching };
  }
  const plain = { statusCode: 200, headers: { ...caching, ...content } };
  const best = Object.entries(compressed).find(([coding]) => accepts(headers['accept-encoding'] ?? '', coding));
  if (!best) return { ...plain, body: text };
  const [coding, body] = best;
  return { ...plain, headers: { ...plain.headers, 'content-encoding': coding }, body, isBase64Encoded: true };
}

type Headers = HttpEvent['headers'];

/** True if a header `Accept-Encoding` accepts a content coding: it contains the coding, with a weight other than 0. */
function accepts(header: string, coding: string): boolean {
  return header.split(',').some((each) => {
    const [name, weight = ''] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !/^q=0(?:\.0*)?$/.test(weight);
  });
}
