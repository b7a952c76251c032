import { JAVASCRIPT, type Language, PHP, PYTHON } from './sample-languages.ts';

// The frameworks are not installed. Their stand-ins have what the samples use of them.

/** The test limits the time of the function. */
const withLimit = (sample: string, parameter: string, limit: string) =>
  sample.replace(new RegExp(`(${parameter} ?= ?)\\d+`), (_, assignment) => assignment + limit);

const EXPRESS: Language = {
  ...JAVASCRIPT,
  name: 'Express',
  contains: [...JAVASCRIPT.contains, 'app.post'],
  program: (sample = '', route = '') => `${withLimit(sample, 'timeoutMs', 'Number(process.env.TIMEOUT_MS)')}
const { ID: id, EMAIL: email, GR_ID } = process.env;
const createCustomer = async (body) => body;
let signUp;
const app = { post: (path, handler) => { signUp = handler; } };
${route}
const grId = JSON.parse(GR_ID);
const headers = grId === null ? {} : { cookie: \`xgr_id=first; gr_id=\${grId}; gr_id2=last\` };
await signUp({ headers, body: { id, email } }, { redirect: () => console.log('signed up') });
`,
};

const DJANGO: Language = {
  ...PYTHON,
  name: 'Django',
  contains: [...PYTHON.contains, 'request.COOKIES'],
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
  contains: [...PHP.contains, 'encryptCookies', 'Route::post'],
  program: (sample = '', middleware = '', route = '') => `<?php
define('TIMEOUT_MS', (int) getenv('TIMEOUT_MS'));
${withLimit(sample, '\\$timeoutMs', 'TIMEOUT_MS')}
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
