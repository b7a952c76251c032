import { createHash } from 'node:crypto';

/** A Content-Security-Policy: the sources of each directive, by its name in lower case. */
export type Policy = ReadonlyMap<string, readonly string[]>;

/** What a policy decides on. Each fetch directive falls back to the next one. */
const DIRECTIVES = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  connection: ['connect-src', 'default-src'],
} as const;

// The functions below follow https://www.w3.org/TR/CSP3/.

/** Parses a header, which may contain several policies, or the content of a meta tag. Of equal directives, the first counts. */
export function parsePolicies(text: string): Policy[] {
  return text.split(',').map((policy) => {
    const directives = policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...sources]): [string, string[]] => [name.toLowerCase(), sources]);
    return new Map(directives.reverse());
  });
}

export function directiveFor(policy: Policy, what: keyof typeof DIRECTIVES): string | undefined {
  return DIRECTIVES[what].find((name) => policy.has(name));
}

export function allowsConnection(policy: Policy, url: URL, page: URL): boolean {
  const sources = sourcesFor(policy, 'connection');
  return sources?.some((source) => matches(source, url, page)) ?? true;
}

/** True if a policy lets a page load a script. `nonce` is the attribute of its tag. */
export function allowsScript(policy: Policy, url: URL, page: URL, nonce: string | undefined): boolean {
  const sources = sourcesFor(policy, 'script');
  if (!sources || hasNonce(sources, nonce)) return true;
  return !needsNonce(policy) && sources.some((source) => matches(source, url, page));
}

/** True if a policy ignores the hosts in its sources: scripts in the HTML need a nonce. */
export function needsNonce(policy: Policy): boolean {
  return includes(sourcesFor(policy, 'script') ?? [], "'strict-dynamic'");
}

/** True if a policy lets a page run an inline script. */
export function allowsInline(policy: Policy, script: string, nonce: string | undefined): boolean {
  const sources = sourcesFor(policy, 'script');
  if (!sources || hasNonce(sources, nonce)) return true;
  // Hashes may also be written in base64 for URLs.
  const inBase64 = (source: string) => source.replaceAll('-', '+').replaceAll('_', '/');
  const hashes = ['sha256', 'sha384', 'sha512'].map((algorithm) => inBase64(hashSource(script, algorithm)));
  if (sources.some((source) => hashes.includes(inBase64(source)))) return true;
  const isStrict = sources.some((source) => /^'(?:nonce-|sha\d+-|strict-dynamic')/i.test(source));
  return !isStrict && includes(sources, "'unsafe-inline'");
}

export function hashSource(script: string, algorithm = 'sha256'): string {
  return `'${algorithm}-${createHash(algorithm).update(script).digest('base64')}'`;
}

function sourcesFor(policy: Policy, what: keyof typeof DIRECTIVES): readonly string[] | undefined {
  const directive = directiveFor(policy, what);
  return directive === undefined ? undefined : policy.get(directive);
}

function hasNonce(sources: readonly string[], nonce: string | undefined): boolean {
  return nonce !== undefined && nonce !== '' && sources.includes(`'nonce-${nonce}'`);
}

function includes(sources: readonly string[], keyword: string): boolean {
  return sources.some((source) => source.toLowerCase() === keyword);
}

const HOST_SOURCE = /^(?:([a-z][a-z\d+.-]*:)\/\/)?(\*|(?:\*\.)?[^/:*'[\]]+|\[[^\]]*\])(?::(\d+|\*))?(\/.*)?$/i;
const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** True if a source of a policy matches an address: a keyword, a scheme, or a host with optional parts. */
function matches(source: string, url: URL, page: URL): boolean {
  if (source.toLowerCase() === "'self'") {
    const isUpgraded = url.hostname === page.hostname && url.port === '' && page.port === '';
    return url.origin === page.origin || (isUpgraded && matchesScheme(page.protocol, url));
  }
  if (source === '*') return url.protocol in PORTS;
  if (/^[a-z][a-z\d+.-]*:$/i.test(source)) return matchesScheme(source, url);
  const [, scheme = page.protocol, host, port, path = '/'] = HOST_SOURCE.exec(source) ?? [];
  if (host === undefined || !matchesScheme(scheme, url) || !matchesHost(host.toLowerCase(), url.hostname)) return false;
  return matchesPort(port, url) && (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path);
}

function matchesScheme(scheme: string, { protocol }: URL): boolean {
  // http also allows https.
  const lower = scheme.toLowerCase();
  return lower === protocol || (lower === 'http:' && protocol === 'https:');
}

function matchesHost(host: string, hostname: string): boolean {
  return host === '*' || (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host);
}

function matchesPort(port: string | undefined, { port: given, protocol }: URL): boolean {
  const actual = given || PORTS[protocol];
  return port === '*' || actual === (port ?? PORTS[protocol]) || (port === '80' && actual === '443');
}
