import { transform } from 'esbuild';
import { codeBlocks, sampleText } from './documents.ts';
import { runProgram } from './run-program.ts';

/** The response of a route of docs/portal.md that hands out tokens. */
export interface TokenResponse {
  readonly status: number;
  readonly caching: string;
  readonly body: unknown;
}

/** A framework for which docs/portal.md or docs/samples has a route. The user of each request is the advocate in `SLUG`. */
interface Framework {
  readonly name: string;
  readonly sample: () => string;
  readonly command: string;
  readonly file: string;
  /** Arguments of a command that succeeds if the framework is installed. */
  readonly check: readonly string[];
  /** A program with the sample, which prints a `TokenResponse` of `/my/referral-token`. */
  readonly program: (sample: string) => Promise<string>;
}

const printResponse = `const print = async (response) => console.log(JSON.stringify({
  status: response.status, caching: response.headers.get('cache-control'), body: await response.json(),
}));`;

// The samples use little of Express and Next.js: Express passes Node's requests and responses, and Next.js fetch's.
export const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'Express',
    sample: () => codeBlocks('docs/portal.md', 'js').join(),
    command: process.execPath,
    file: 'server.mjs',
    check: ['--version'],
    program: async (sample) => `import { createServer } from 'node:http';
const routes = {};
const app = { get: (path, handler) => { routes[path] = handler; } };
${sample}
${printResponse}
const server = createServer((request, response) => {
  routes[request.url](Object.assign(request, { user: { referralSlug: process.env.SLUG } }), response);
});
server.listen(0, '127.0.0.1', async () => {
  await print(await fetch('http://127.0.0.1:' + server.address().port + '/my/referral-token'));
  server.closeAllConnections();
  server.close();
});`,
  },
  {
    name: 'Next.js',
    sample: () => sampleText('referral-token-route.ts'),
    command: process.execPath,
    file: 'route.mjs',
    check: ['--version'],
    program: async (sample) => {
      const { code } = await transform(sample.replace(/^import .*\n/, ''), { loader: 'ts' });
      return `const currentUser = async () => ({ referralSlug: process.env.SLUG });
${code}
${printResponse}
await print(await GET());`;
    },
  },
  {
    name: 'Rails',
    sample: () => sampleText('referral_tokens_controller.rb'),
    command: '/usr/bin/ruby',
    file: 'main.rb',
    check: ['-e', 'require "action_controller"'],
    program: async (sample) => `require "active_support/all"
require "action_controller"
require "net/http"
class ApplicationController < ActionController::Base
  def current_user = Struct.new(:referral_slug).new(ENV["SLUG"])
end
${sample}
status, headers, body = ReferralTokensController.action(:show).call(Rack::MockRequest.env_for("https://www.shop.example/my/referral-token"))
text = +""
body.each { |part| text << part }
puts JSON.generate({ status: status, caching: headers["Cache-Control"] || headers["cache-control"], body: JSON.parse(text) })`,
  },
];

/** Runs the route of a framework with these environment variables. */
export async function runTokenRoute(
  framework: Framework,
  environment: Readonly<Record<string, string>>,
): Promise<TokenResponse> {
  const { command, file } = framework;
  const content = await framework.program(framework.sample());
  const { printed, logged } = await runProgram({ command, file, content, environment });
  if (printed === '') throw new Error(`${framework.name} printed nothing: ${logged}`);
  return JSON.parse(printed);
}
