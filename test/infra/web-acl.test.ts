import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeToken } from '../../functions/kernel/accounts/rules/token.ts';
import type { Route } from '../../functions/kernel/http/route.ts';
import { ROUTES } from '../../functions/routes.ts';
import { NOW } from '../support/samples.ts';
import { signatureOf } from '../support/stripe/stripe.ts';
import { synthesizeEdge } from './synthesized.ts';

// What a synth cannot show: that AWS WAF counts as these statements say, and that a plan of CloudFront accepts them.

const acl = Object(synthesizeEdge().front.one('AWS::WAFv2::WebACL')[1].Properties);
interface Rule {
  readonly Name: string;
  readonly Priority: number;
  readonly Statement: { readonly RateBasedStatement?: Limit; readonly ManagedRuleGroupStatement?: object };
  readonly Action?: { readonly Block: { readonly CustomResponse: object } };
}
interface Limit {
  readonly Limit: number;
  readonly ScopeDownStatement?: Readonly<Record<string, unknown>>;
}
const rules: readonly Rule[] = acl.Rules;
const limits = rules.flatMap(({ Name, Statement: { RateBasedStatement } }) =>
  RateBasedStatement ? [{ name: Name, ...RateBasedStatement }] : [],
);

/** Requests a second that an address may send. */
const REQUEST_RATE = (limits.at(-1)?.Limit ?? 0) / 300;

/** The names of the limits that count a request. */
const counting = (request: WebRequest) =>
  limits
    .filter(({ ScopeDownStatement }) => !ScopeDownStatement || matches(ScopeDownStatement, request))
    .map(({ name }) => name);

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const TOKEN = makeToken('program', randomBytes);
const STRIPE = '/v2/integrations/stripe/019a2b3c';
const SIGNATURE = signatureOf('', { at: NOW });
const routes: readonly Route[] = Object.values(ROUTES);
/** The path of a route with values of its parameters. */
const pathOf = ({ path }: Route) => path.replace(/\{\w+\}/g, 'a-value');
const requestOf = (route: Route, headers = {}) => ({ method: route.method, path: pathOf(route), headers });

describe('the limits', () => {
  test('the limits are for the address that CloudFront sees, in five minutes', () => {
    expect(limits.map(({ name, Limit }) => [name, Limit])).toEqual([
      ['Visitors', 300],
      ['Tokens', 100],
      ['Management', 1500],
      ['Events', 6000],
      ['Requests', 20_000],
    ]);
    for (const limit of limits) expect(limit).toMatchObject({ AggregateKeyType: 'IP', EvaluationWindowSec: 300 });
    expect(JSON.stringify(acl)).not.toMatch(/forwarded/i);
  });

  test.each<[what: string, request: WebRequest, limits: string[]]>([
    ['a click', { method: 'POST', path: '/v2/tracking/click' }, ['Visitors']],
    ['a conversion of a page', { method: 'POST', path: '/v2/tracking/conversion' }, ['Visitors']],
    ['a conversion with a token', { method: 'POST', path: '/v2/tracking/conversion', headers: bearer(TOKEN) }, []],
    [
      'a conversion with a malformed token',
      { method: 'POST', path: '/v2/tracking/conversion', headers: bearer('guess') },
      ['Tokens'],
    ],
    ['a list with a token', { method: 'GET', path: '/v2/advocates', headers: bearer(TOKEN) }, ['Management']],
    [
      'a list with an encoded path and a scheme in another case',
      { method: 'GET', path: '/v2/tracking/../adv%6fcates', headers: { authorization: `bEARER  ${TOKEN}` } },
      ['Management'],
    ],
    ['a token that is too long', { method: 'GET', path: '/v2/x', headers: bearer(`${TOKEN}0`) }, ['Tokens']],
    ['an event of Stripe', { method: 'POST', path: STRIPE, headers: { 'stripe-signature': SIGNATURE } }, ['Events']],
    ['an event without a signature', { method: 'POST', path: STRIPE }, ['Tokens', 'Events']],
    [
      "a path that only seems to be Stripe's",
      { method: 'GET', path: '/v2/integrations/stripe/../../advocates' },
      ['Tokens'],
    ],
    ['a preflight request', { method: 'OPTIONS', path: '/v2/advocates' }, ['Visitors']],
  ])('%s counts for the right limits', (_, request, expected) => {
    expect(counting(request)).toEqual([...expected, 'Requests']);
  });

  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s counts for the limit of its access',
    (_, route) => {
      const { access, throttle } = route;
      const isScript = route.path.endsWith('.js');
      const anonymous = counting(requestOf(route)).slice(0, -1);
      if (isScript) expect(anonymous).toEqual([]);
      else if (access === 'stripe') expect(anonymous).toEqual(['Tokens', 'Events']);
      else if (access === 'anyone' || access.publicKey) expect(anonymous).toEqual(['Visitors']);
      else expect(anonymous).toEqual(['Tokens']);
      // No address can use up the limit of a route at the limit of all its requests.
      const authorized = throttle.rate > REQUEST_RATE ? ['Requests'] : ['Management', 'Requests'];
      if (typeof access === 'object') expect(counting(requestOf(route, bearer(TOKEN)))).toEqual(authorized);
    },
  );
});

describe('the firewall', () => {
  test("who is over a limit gets API Gateway's 429, which any page may read", () => {
    const [key = ''] = Object.keys(acl.CustomResponseBodies);
    expect(acl.CustomResponseBodies[key]).toEqual({
      ContentType: 'APPLICATION_JSON',
      Content: '{"message":"Too Many Requests"}',
    });
    for (const { Action } of rules.slice(2))
      expect(Action?.Block.CustomResponse).toEqual({
        ResponseCode: 429,
        CustomResponseBodyKey: key,
        ResponseHeaders: [
          { Name: 'access-control-allow-origin', Value: '*' },
          { Name: 'retry-after', Value: '300' },
        ],
      });
  });

  test('the firewall keeps no samples of requests, which would contain addresses', () => {
    const visibility = [acl, ...rules].map(({ VisibilityConfig }) => VisibilityConfig);
    for (const each of visibility) expect(each).toMatchObject({ SampledRequestsEnabled: false });
  });
});

/** A request as AWS WAF sees it. Header names are in lower case. */
interface WebRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A statement of a rule, as in a template. */
type Statement = Readonly<Record<string, unknown>>;

/**
 * Returns whether a request matches a statement, for the statements that the stack uses
 * (https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statements.html). Throws for all others.
 */
function matches(statement: Statement, request: WebRequest): boolean {
  const [[type, content] = ['', {}], ...others] = Object.entries(statement);
  if (others.length > 0) throw new Error('A statement has exactly one type.');
  const { Statements = [], Statement: inner } = Object(content);
  switch (type) {
    case 'AndStatement':
      return atLeastTwo(Statements).every((each) => matches(each, request));
    case 'OrStatement':
      return atLeastTwo(Statements).some((each) => matches(each, request));
    case 'NotStatement':
      return !matches(inner, request);
    case 'ByteMatchStatement':
      return isMatch(textOf(Object(content), request), Object(content));
    case 'RegexMatchStatement':
      if (Object(content).RegexString.length > 512) throw new Error('AWS WAF takes at most 512 characters.');
      return new RegExp(Object(content).RegexString).test(textOf(Object(content), request) ?? '\0');
    case 'SizeConstraintStatement':
      return isLargeEnough(textOf(Object(content), request), Object(content));
    default:
      throw new Error(`The statement ${type} is not known.`);
  }
}

function atLeastTwo(statements: readonly Statement[]): readonly Statement[] {
  if (statements.length < 2) throw new Error('AWS WAF requires two statements.');
  return statements;
}

/** The inspected part of a request after its transformations; `undefined` if it is missing. */
function textOf(
  { FieldToMatch, TextTransformations }: { FieldToMatch: Statement; TextTransformations: { Type: string }[] },
  { method, path, headers = {} }: WebRequest,
): string | undefined {
  const { Name = '' } = Object(FieldToMatch['SingleHeader']);
  const [field = ''] = Object.keys(FieldToMatch);
  const text = { UriPath: path, Method: method, SingleHeader: headers[Name] }[field];
  return TextTransformations.reduce(
    (before, { Type }) => (before === undefined ? undefined : transform(Type, before)),
    text,
  );
}

function transform(type: string, text: string): string {
  if (type === 'NONE') return text;
  if (type === 'URL_DECODE') return decodeURIComponent(text);
  if (type === 'NORMALIZE_PATH') return posix.normalize(text);
  throw new Error(`The transformation ${type} is not known.`);
}

function isMatch(text: string | undefined, { PositionalConstraint, SearchString }: Record<string, string>): boolean {
  if (text === undefined || SearchString === undefined) return false;
  if (PositionalConstraint === 'EXACTLY') return text === SearchString;
  if (PositionalConstraint === 'STARTS_WITH') return text.startsWith(SearchString);
  throw new Error(`The position ${PositionalConstraint} is not known.`);
}

function isLargeEnough(text: string | undefined, { ComparisonOperator, Size }: Record<string, unknown>): boolean {
  if (ComparisonOperator !== 'GE') throw new Error('The comparison is not known.');
  return text !== undefined && Buffer.byteLength(text) >= Number(Size);
}
