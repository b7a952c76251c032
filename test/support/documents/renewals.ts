import { sampleText } from './documents.ts';
import { runProgram } from './run-program.ts';

// Django, Laravel and Rails are Debian's packages, which only Debian's interpreters find: 6 MB for all three.

/** A framework for which docs/samples shows how a merchant's server renews the cookie. */
export interface Framework {
  readonly name: string;
  /** The sample's file in docs/samples. */
  readonly sample: string;
  readonly command: string;
  /** Arguments of a command that succeeds if the framework is installed. */
  readonly check: readonly string[];
  /** Arguments before the file of the program. */
  readonly options?: readonly string[];
  readonly file: string;
  /**
   * A program with the sample. It handles a request for each list of headers in `REQUESTS`, and prints the values of
   * `Set-Cookie` of each response.
   */
  readonly program: (sample: string) => string;
}

const DJANGO: Framework = {
  name: 'Django',
  sample: 'renew_gr_id.py',
  command: '/usr/bin/python3',
  check: ['-c', 'import django'],
  file: 'main.py',
  program: (sample) => `import json, os
from django.conf import settings
settings.configure()
from django.http import HttpResponse
from django.test import RequestFactory
${sample}
respond = renew_gr_id(lambda request: HttpResponse("page"))
def set_cookies(headers):
    fields = {"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items()}
    return [cookie.OutputString() for cookie in respond(RequestFactory().get("/", **fields)).cookies.values()]
print(json.dumps([set_cookies(headers) for headers in json.loads(os.environ["REQUESTS"])]))
`,
};

const LARAVEL: Framework = {
  name: 'Laravel',
  sample: 'RenewGrId.php',
  command: '/usr/bin/php',
  check: ['-r', 'exit(stream_resolve_include_path("Illuminate/Encryption/autoload.php") ? 0 : 1);'],
  // Debian's Laravel is older than its PHP, and so has deprecated code.
  options: ['-d', 'error_reporting=E_ALL & ~E_DEPRECATED'],
  file: 'main.php',
  program: (sample) => `${sample}
foreach (['Cookie', 'Encryption', 'Http'] as $component) require "Illuminate/$component/autoload.php";
$encryption = new \\Illuminate\\Cookie\\Middleware\\EncryptCookies(new \\Illuminate\\Encryption\\Encrypter(random_bytes(16)));
$encryption->disableFor('gr_id');
$setCookies = function (array $headers) use ($encryption) {
    // PHP parses a query in the same way as cookies.
    parse_str(strtr($headers['cookie'] ?? '', ['&' => '%26', ';' => '&']), $cookies);
    $request = Request::create('https://www.shop.example/', 'GET', [], $cookies);
    $request->headers->replace($headers);
    $renew = fn ($request) => (new RenewGrId())->handle($request, fn () => new \\Illuminate\\Http\\Response('page'));
    return array_map('strval', $encryption->handle($request, $renew)->headers->getCookies());
};
echo json_encode(array_map($setCookies, json_decode(getenv('REQUESTS'), true)));
`,
};

const RAILS: Framework = {
  name: 'Rails',
  sample: 'application_controller.rb',
  command: '/usr/bin/ruby',
  check: ['-e', 'require "action_controller"'],
  file: 'main.rb',
  program: (sample) => `require "active_support/all"
require "action_controller"
${sample}
class PagesController < ApplicationController
  def show
    head :ok
  end
end
app = ActionDispatch::Cookies.new(PagesController.action(:show))
requests = JSON.parse(ENV["REQUESTS"])
puts JSON.generate(requests.map { |headers|
  fields = headers.to_h { |name, value| ["HTTP_" + name.upcase.tr("-", "_"), value] }
  _, response, _ = app.call(Rack::MockRequest.env_for("https://www.shop.example/", fields))
  Array(response["Set-Cookie"]).join("\\n").split("\\n")
})
`,
};

export const FRAMEWORKS: readonly Framework[] = [DJANGO, LARAVEL, RAILS];

/** Lets the sample of a framework handle requests with these headers. Returns each response's values of `Set-Cookie`. */
export async function renewals(framework: Framework, requests: readonly object[]): Promise<string[][]> {
  const content = framework.program(sampleText(framework.sample));
  const { status, printed, logged } = await runProgram({
    ...framework,
    content,
    environment: { REQUESTS: JSON.stringify(requests) },
  });
  if (status !== 0 || logged !== '') throw new Error(`${framework.name} ended with ${status}: ${logged}${printed}`);
  return JSON.parse(printed);
}
