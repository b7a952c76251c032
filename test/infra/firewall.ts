import { posix } from 'node:path';

/** A request as AWS WAF sees it. Header names are in lower case. */
export interface WebRequest {
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
export function matches(statement: Statement, request: WebRequest): boolean {
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
