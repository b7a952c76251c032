import { spawnSync } from 'node:child_process';
import { oldestNode } from '../../support/client/oldest-node.ts';
import { codeBlocks, sampleText } from '../../support/documents/documents.ts';
import { runProgram } from '../../support/documents/run-program.ts';

/** A language, or a framework, in which a document shows how a merchant's server reports a sign-up. */
export interface Language {
  readonly name: string;
  /** The parts of the sample. */
  readonly blocks: () => readonly string[];
  readonly fileName: string;
  readonly command: string;
  /** Arguments of a command that succeeds if the interpreter and the extensions of the sample are installed. */
  readonly check: readonly string[];
  /** Builds a program from the blocks: a sign-up that reports its customer and then prints `signed up`. */
  readonly program: (...blocks: string[]) => string;
}

/** The input of a sign-up. */
export interface SignUp {
  readonly baseUrl: string;
  readonly token: string;
  readonly customer: { readonly id: string; readonly email: string };
  /** The cookie as the merchant's framework parses it: null if it is missing, and not always a string. */
  readonly grId: unknown;
  readonly timeoutMs: number;
}

/** The code block of a document that contains a text. */
function blockWith(document: string, language: string, part: string): string {
  const [block, other] = codeBlocks(document, language).filter((code) => code.includes(part));
  if (block === undefined || other !== undefined) throw new Error(`${document}: not one block has ${part}.`);
  return block;
}

/** The client gives up earlier in the tests. */
const withTimeout = (sample: string) =>
  sample.replace('PROGRAM_TOKEN }', 'PROGRAM_TOKEN, timeout: Number(process.env.TIMEOUT_MS) }');

const IMPORT = "import { reportSignUp } from 'referral-tracking-client'";
const README: Language = {
  name: 'JavaScript, in the README',
  blocks: () => [blockWith('README.md', 'js', IMPORT)],
  fileName: 'sign-up.mjs',
  command: process.execPath,
  check: ['--version'],
  program: (sample = '') => `const { ID: id, EMAIL: email, GR_ID } = process.env;
const customer = { id, email };
const grId = JSON.parse(GR_ID);
${withTimeout(sample)}
console.log('signed up');
`,
};
const CLIENT: Language = {
  ...README,
  name: 'JavaScript',
  blocks: () => [blockWith('client/README.md', 'js', IMPORT)],
};
const PYTHON: Language = {
  name: 'Python',
  blocks: () => [sampleText('report_sign_up.py')],
  fileName: 'sign_up.py',
  command: 'python3',
  check: ['--version'],
  program: (sample) => `${sample}
from types import SimpleNamespace

env = os.environ
customer = SimpleNamespace(id=env["ID"], email=env["EMAIL"])
report_sign_up(customer, json.loads(env["GR_ID"]), float(env["TIMEOUT_MS"]) / 1000)
print("signed up")
`,
};
const PHP: Language = {
  name: 'PHP',
  blocks: () => [sampleText('report-sign-up.php')],
  fileName: 'sign-up.php',
  command: 'php',
  check: ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
  program: (sample) => `${sample}
$customer = (object) ['id' => getenv('ID'), 'email' => getenv('EMAIL')];
reportSignUp($customer, json_decode(getenv('GR_ID'), true), (int) getenv('TIMEOUT_MS'));
echo "signed up\\n";
`,
};
/** JavaScript is always tested. */
export const LANGUAGES: readonly Language[] = [
  README,
  CLIENT,
  { ...CLIENT, name: 'JavaScript, on the oldest Node of the client', command: oldestNode() },
  PYTHON,
  PHP,
];

/** The languages whose interpreter is installed. `SAMPLES=all`, which CI sets, selects all: there, none may be missing. */
export const languagesToTest = (languages: readonly Language[]): Language[] =>
  languages.filter(({ command, check }) => process.env['SAMPLES'] === 'all' || spawnSync(command, check).status === 0);

/**
 * Runs a sign-up with the sample of a language. `modules` is a folder `node_modules` with the client. Returns the exit
 * status, the output and the log.
 */
export function runSignUp(language: Language, modules: string, { customer, ...signUp }: SignUp) {
  const { PATH = '' } = process.env;
  return runProgram({
    command: language.command,
    file: language.fileName,
    content: language.program(...language.blocks()),
    modules,
    environment: {
      PATH,
      BASE_URL: signUp.baseUrl,
      PROGRAM_TOKEN: signUp.token,
      ID: customer.id,
      EMAIL: customer.email,
      GR_ID: JSON.stringify(signUp.grId),
      TIMEOUT_MS: String(signUp.timeoutMs),
    },
  });
}

// The frameworks are not installed. Their stand-ins have what the samples use of them.

/** The test limits the time of the function. */
const withLimit = (sample: string, parameter: string, limit: string) =>
  sample.replace(new RegExp(`(${parameter} ?= ?)\\d+`), (_, assignment) => assignment + limit);

const EXPRESS: Language = {
  ...CLIENT,
  name: 'Express',
  blocks: () => [blockWith('docs/script.md', 'js', IMPORT)],
  program: (route = '') => `const { ID: id, EMAIL: email, GR_ID } = process.env;
const createCustomer = async (body) => body;
let signUp;
const app = { post: (path, handler) => { signUp = handler; } };
${withTimeout(route)}
const grId = JSON.parse(GR_ID);
const headers = grId === null ? {} : { cookie: \`xgr_id=first; gr_id=\${grId}; gr_id2=last\` };
await signUp({ headers, body: { id, email } }, { redirect: () => console.log('signed up') });
`,
};

const DJANGO: Language = {
  ...PYTHON,
  name: 'Django',
  blocks: () => [...PYTHON.blocks(), blockWith('docs/script.md', 'python', 'def sign_up')],
  program: (sample = '', view = '') => `${withLimit(sample, 'timeout', 'float(os.environ["TIMEOUT_MS"]) / 1000')}
from types import SimpleNamespace

def create_customer(post):
    return SimpleNamespace(id=post["id"], email=post["email"])

def redirect(to):
    print("signed up")

${view}
env = os.environ
gr_id = json.loads(env["GR_ID"])
cookies = {} if gr_id is None else {"gr_id": gr_id}
sign_up(SimpleNamespace(POST={"id": env["ID"], "email": env["EMAIL"]}, COOKIES=cookies))
`,
};

const LARAVEL: Language = {
  ...PHP,
  name: 'Laravel',
  blocks: () => [
    ...PHP.blocks(),
    blockWith('docs/script.md', 'php', 'encryptCookies'),
    blockWith('docs/script.md', 'php', 'Route::post'),
  ],
  program: (sample = '', middleware = '', route = '') => `${withLimit(sample, '\\$timeoutMs', 'TIMEOUT_MS')}
define('TIMEOUT_MS', (int) getenv('TIMEOUT_MS'));
class Middleware
{
    public array $unencrypted = [];
    function encryptCookies(array $except) { $this->unencrypted = $except; }
}
class Application
{
    function __construct(private Middleware $middleware) {}
    function withMiddleware(callable $configure) { $configure($this->middleware); }
}
class Request
{
    function __construct(private Middleware $middleware) {}
    // No cookie here was encrypted.
    function cookie(string $name)
    {
        return in_array($name, $this->middleware->unencrypted) ? json_decode(getenv('GR_ID'), true) : null;
    }
}
class Route
{
    static $handler;
    static function post($path, $handler) { self::$handler = $handler; }
}
function createCustomer($request) { return (object) ['id' => getenv('ID'), 'email' => getenv('EMAIL')]; }
function redirect($to) { echo "signed up\\n"; }
$middleware = new Middleware();
(new Application($middleware))
${middleware};
${route}
(Route::$handler)(new Request($middleware));
`,
};

/** Frameworks in which docs/script.md shows how to read the cookie. */
export const FRAMEWORKS: readonly Language[] = [EXPRESS, DJANGO, LARAVEL];
