import { hash } from 'node:crypto';

/** A Content-Security-Policy: the sources of each directive, by its name in lower case. */
export type Policy = ReadonlyMap<string, readonly string[]>;

/** What a policy decides on. Each fetch directive falls back to the next one. */
const DIRECTIVES = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  connection: ['connect-src', 'default-src'],
} as const;

// The functions below follow https://www.w3.org/TR/CSP3/.

/** The part of a source whose case does not matter: a keyword or a scheme, but no nonce, hash or path. */
const CASELESS = /^(?:'nonce-|'sha\d+-|'[a-z-]+'$|[a-z][a-z\d+.-]*:)/i;

/** Parses a header, which may contain several policies, or the content of a meta tag. Of equal directives, the first counts. */
export function parsePolicies(text: string): Policy[] {
  return text.split(',').map((policy) => {
    const directives = policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...sources]): [string, string[]] => [
        name.toLowerCase(),
        sources.map((source) => source.replace(CASELESS, (start) => start.toLowerCase())),
      ]);
    return new Map(directives.reverse());
  });
}

export function directiveFor(policy: Policy, what: keyof typeof DIRECTIVES): string | undefined {
  return DIRECTIVES[what].find((name) => policy.has(name));
}

export function allowsConnection(policy: Policy, url: URL, page: URL): boolean {
  return sourcesFor(policy, 'connection')?.some((source) => matches(source, url, page)) ?? true;
}

/** True if a policy lets a page load a script. `nonce` is the attribute of its tag. */
export function allowsScript(policy: Policy, url: URL, page: URL, nonce: string | undefined): boolean {
  const sources = sourcesFor(policy, 'script');
  if (!sources || sources.includes(`'nonce-${nonce}'`)) return true;
  return !needsNonce(policy) && sources.some((source) => matches(source, url, page));
}

/** True if a policy ignores the hosts in its sources: scripts in the HTML need a nonce. */
export function needsNonce(policy: Policy): boolean {
  return sourcesFor(policy, 'script')?.includes("'strict-dynamic'") ?? false;
}

/** True if a policy lets a page run an inline script. */
export function allowsInline(policy: Policy, script: string, nonce: string | undefined): boolean {
  const sources = sourcesFor(policy, 'script');
  const named = [
    `'nonce-${nonce}'`,
    ...['sha256', 'sha384', 'sha512'].map((algorithm) => hashSource(script, algorithm)),
  ];
  if (!sources || sources.some((source) => named.includes(source))) return true;
  const isStrict = sources.some((source) => /^'(?:nonce-|sha\d+-|strict-dynamic')/.test(source));
  return !isStrict && sources.includes("'unsafe-inline'");
}

export function hashSource(script: string, algorithm = 'sha256'): string {
  return `'${algorithm}-${hash(algorithm, script, 'base64')}'`;
}

function sourcesFor(policy: Policy, what: keyof typeof DIRECTIVES): readonly string[] | undefined {
  const directive = directiveFor(policy, what);
  return directive === undefined ? undefined : policy.get(directive);
}

/** A scheme, or a host with optional scheme, port and path. */
const SOURCE = /^(?:([a-z][a-z\d+.-]*:)(?:\/\/|$))?(\*|(?:\*\.)?[^/:*'[\]]+|\[[^\]]*\])?(?::(\d+|\*))?(\/.*)?$/i;
const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** True if a source of a policy matches an address. The scheme http also allows https. */
function matches(source: string, url: URL, page: URL): boolean {
  if (source === '*') return true;
  const [of, scheme = page.protocol, host, port, path = '/'] =
    SOURCE.exec(source === "'self'" ? page.origin : source) ?? [];
  if (of === undefined || (scheme !== url.protocol && !(scheme === 'http:' && url.protocol === 'https:'))) return false;
  if (host === undefined) return true;
  const isHost = host.startsWith('*') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host.toLowerCase();
  const actual = url.port || PORTS[url.protocol];
  const isPort = port === '*' || actual === (port ?? PORTS[url.protocol]) || (port === '80' && actual === '443');
  return isHost && isPort && (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path);
}
