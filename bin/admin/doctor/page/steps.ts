import { listsOrigin, type Program, programIdOf } from '../../../../functions/domain/program.ts';
import { findProgram } from '../../../../functions/table/programs.ts';
import type { CliContext } from '../../cli.ts';
import { StepFailure } from '../request.ts';
import type { Step } from '../run.ts';
import {
  type Embedding,
  findEmbedding,
  isClassicScript,
  loadPage,
  type Page,
  QUEUE_LINE,
  serviceOf,
  srcOf,
} from './embedding.ts';
import { load, shown } from './fetch.ts';
import * as policies from './policy.ts';

/** The program of a page's script must be in the command's table. */
type OnTable = CliContext['onTable'];

/** The queue line of docs/script.md, or other code that defines `gr`, such as a module's. */
const QUEUE = /\b(?:window|self|globalThis)\.gr\s*(?:\|\||\?\?)?=(?!=)|\bfunction\s+gr\s*\(/;
const CONVERSION = /\bgr\s*\(\s*(['"`])track\1\s*,\s*(['"`])conversion\2/;
/** The parameters that the script reads without `data-parameters` (docs/script.md, Attributes). */
const DEFAULT_PARAMETERS = 'via,ref,red,refby';
/** Number of external scripts in which the queue line is searched. */
const MAX_FILES = 10;

/** Returns the steps that check how a merchant's page embeds the script of the service at a base URL. */
export function pageSteps(address: URL, baseUrl: string, onTable: OnTable): readonly Step[] {
  const page = once(() => loadPage(address));
  const embedding = once(async () => findEmbedding(await page(), baseUrl));
  const service = once(async () => serviceOf(await embedding(), baseUrl));
  const program = once(async () => findOwner(await embedding(), onTable));
  return [
    {
      name: 'page',
      run: async () => {
        const { url } = await page();
        return url.href === address.href ? `${shown(url)} is HTML` : `redirects lead to ${shown(url)}, which is HTML`;
      },
    },
    {
      name: 'script tag',
      needs: ['page'],
      run: async () => `the page loads ${shown((await embedding()).src)}`,
    },
    {
      name: 'script file',
      needs: ['script tag'],
      run: async () => `it is the tracking script, and reports to ${await service()}`,
    },
    {
      name: 'public key',
      needs: ['script tag'],
      run: async () => `it belongs to the program ${(await program()).id}`,
    },
    {
      name: 'link parameter',
      needs: ['public key'],
      run: async () => checkParameter(await embedding(), await program()),
    },
    { name: 'queue line', needs: ['script tag'], run: async () => checkQueueLine(await embedding()) },
    {
      name: 'security policy',
      needs: ['script file'],
      run: async () => checkPolicies(await embedding(), new URL(await service())),
    },
    { name: 'allowed origin', needs: ['public key'], run: async () => checkOrigin(await page(), await program()) },
  ];
}

/** Returns a function that runs `work` at the first call and returns the same result at every call. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

async function findOwner({ tag }: Embedding, onTable: OnTable): Promise<Program> {
  const publicKey = tag.attributes.get('data-pk');
  if (publicKey === undefined) {
    throw new StepFailure(
      'The tag of the script has no data-pk.',
      'Add the public key of the program. `program list --json` prints it.',
    );
  }
  const id = programIdOf(publicKey);
  const program = id === undefined ? undefined : await onTable((table) => findProgram(table, id));
  if (program) return program;
  throw new StepFailure(
    'No program in the table has the key in data-pk.',
    'Correct data-pk. `program list --json` prints the public keys. The table must be that of the service.',
  );
}

async function checkParameter({ tag }: Embedding, { linkParameter }: Program): Promise<string> {
  const attribute = tag.attributes.get('data-parameters');
  const parameters = (attribute || DEFAULT_PARAMETERS).split(/[\s,]+/);
  if (parameters.includes(linkParameter))
    return `the script reads ${linkParameter}, which the links of the program have`;
  const value = `"${[linkParameter, ...parameters].join(',')}"`;
  // Browsers ignore an attribute that occurs a second time.
  const advice =
    attribute === undefined
      ? `Add data-parameters=${value} to the tag of the script.`
      : `Change data-parameters to ${value} in the tag of the script.`;
  throw new StepFailure(
    `The links of the program have the parameter ${linkParameter}, which the script does not read.`,
    advice,
  );
}

/** The line must run before the script's tag, inline or in a file that the browser waits for. */
async function checkQueueLine(embedding: Embedding): Promise<string> {
  const { page, before } = embedding;
  if (queueTag(embedding)) return 'calls that are made before the script has loaded are kept';
  const files = before
    .filter((tag) => isClassicScript(tag) && !tag.attributes.has('async') && !tag.attributes.has('defer'))
    .flatMap((tag) => srcOf(page, tag) ?? []);
  for (const file of files.slice(0, MAX_FILES)) {
    const { text } = await load(file, 'The script', /./).catch(() => ({ text: '' }));
    if (QUEUE.test(text)) return `${shown(file)} keeps calls that are made before the script has loaded`;
  }
  throw new StepFailure(
    'The queue line is not before the tag of the script: earlier calls of gr fail.',
    `Add this line above the tag: ${QUEUE_LINE}`,
  );
}

function queueTag({ before }: Embedding) {
  return before.find((tag) => isClassicScript(tag) && !tag.attributes.has('src') && QUEUE.test(tag.text));
}

/** Checks the policies of the header, and of the meta tags before the script: each of them must allow everything. */
async function checkPolicies(embedding: Embedding, service: URL): Promise<string> {
  const { page, before, tag, src } = embedding;
  const inPage = before.filter(
    ({ name, attributes }) =>
      name === 'meta' && attributes.get('http-equiv')?.trim().toLowerCase() === 'content-security-policy',
  );
  const all = [
    ...page.policies,
    ...inPage.flatMap(({ attributes }) => policies.parsePolicies(attributes.get('content') ?? '')),
  ];
  const line = queueTag(embedding);
  for (const policy of all) {
    const add = (source: string, what: 'script' | 'connection') =>
      `Add ${source} to ${policies.directiveFor(policy, what)} of the Content-Security-Policy.`;
    if (!policies.allowsScript(policy, src, page.url, tag.attributes.get('nonce'))) {
      const advice = policies.needsNonce(policy)
        ? "Give the tag of the script the page's nonce, because the policy contains 'strict-dynamic'."
        : add(src.origin, 'script');
      throw new StepFailure('The Content-Security-Policy blocks the script.', advice);
    }
    if (line && !policies.allowsInline(policy, line.text, line.attributes.get('nonce'))) {
      throw new StepFailure(
        'The Content-Security-Policy blocks the queue line.',
        add(policies.hashSource(line.text), 'script'),
      );
    }
    if (!policies.allowsConnection(policy, new URL('v2/tracking/click', service), page.url)) {
      throw new StepFailure(
        'The Content-Security-Policy blocks requests to the service.',
        add(service.origin, 'connection'),
      );
    }
  }
  return all.length === 0
    ? 'the page has no Content-Security-Policy'
    : 'the Content-Security-Policy allows the script and its requests';
}

async function checkOrigin({ url, tags }: Page, program: Program): Promise<string> {
  const sends = tags.some((tag) => tag.name === 'script' && CONVERSION.test(tag.text));
  if (!sends) return 'the HTML of the page sends no conversions';
  if (listsOrigin(program, url.origin)) return `the page sends conversions, and the program allows ${url.origin}`;
  const origins = [...program.allowedOrigins, url.origin].map((origin) => `--allowed-origin ${origin}`).join(' ');
  throw new StepFailure(
    `The page sends conversions, but the program does not allow ${url.origin}.`,
    `Run \`program update --program ${program.id} ${origins}\`, or report conversions from your server only.`,
  );
}
