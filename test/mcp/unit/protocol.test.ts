import { describe, expect, test } from '@jest/globals';
import { ProtocolError, REVISION, revisionOf } from '../../../functions/mcp/rules/protocol.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const LIST = { method: 'tools/list', params: { _meta: META } };
const CALL = { method: 'tools/call', params: { name: 'getProgram', _meta: META } };
const OF_LIST = { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/list' };
const OF_CALL = { ...OF_LIST, 'mcp-method': 'tools/call', 'mcp-name': 'getProgram' };
const named = (name: unknown, header: string) =>
  [
    { ...CALL, params: { ...CALL.params, name } },
    { ...OF_CALL, 'mcp-name': header },
  ] as const;
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** The revision of a request; of a refused one, the code, the status and the data of its error. */
function outcomeOf(...request: Parameters<typeof revisionOf>) {
  try {
    return revisionOf(...request);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, status, data } = error;
    return [code, status, ...(data ? [data] : [])];
  }
}

const EARLIER = '2025-11-25';
const MISMATCH = [-32020, 400];

describe('the revision of a request', () => {
  test('a request in the newest revision repeats its version, its method and its tool in headers', () => {
    expect(outcomeOf(LIST, OF_LIST)).toBe(REVISION);
    expect(outcomeOf(CALL, OF_CALL)).toBe(REVISION);
    // Only a call has a tool.
    expect(
      outcomeOf({ method: 'ping', params: { name: 'Sam', _meta: META } }, { ...OF_LIST, 'mcp-method': 'ping' }),
    ).toBe(REVISION);
  });

  test('a request that declares no revision is in the earlier one, as is one whose header says so', () => {
    for (const message of [
      { method: 'initialize', params: { protocolVersion: '2025-06-18' } },
      { method: 'ping', params: {} },
    ]) {
      expect(outcomeOf(message, {})).toBe(EARLIER);
      expect(outcomeOf(message, { 'mcp-protocol-version': EARLIER, 'mcp-method': 'other' })).toBe(EARLIER);
    }
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['the version is missing', { 'mcp-protocol-version': undefined }],
    ['the version differs', { 'mcp-protocol-version': EARLIER }],
    ['the method is missing', { 'mcp-method': undefined }],
    ['the method differs', { 'mcp-method': 'tools/list' }],
    ['the method is in another case', { 'mcp-method': 'Tools/Call' }],
    ['the tool is missing', { 'mcp-name': undefined }],
    ['the tool differs', { 'mcp-name': 'listTokens' }],
  ])('a request whose headers do not repeat its body is refused: %s', (_, changes) => {
    expect(outcomeOf(CALL, { ...OF_CALL, ...changes })).toEqual(MISMATCH);
  });

  test('the name of a tool may be base64 of UTF-8 in its header', () => {
    expect(outcomeOf(...named('getProgram', base64('getProgram')))).toBe(REVISION);
    expect(outcomeOf(...named('Größe 東京', base64('Größe 東京')))).toBe(REVISION);
    expect(outcomeOf(...named('getProgram', base64('listTokens')))).toEqual(MISMATCH);
    expect(outcomeOf(...named(base64('getProgram'), base64('getProgram')))).toEqual(MISMATCH);
  });

  test.each(['2024-11-05', '2025-06-18', '2027-01-01', 'latest', '', 7])(
    'the version %j is refused with the supported ones',
    (version) => {
      const refused = [-32022, 400, { supported: [REVISION, EARLIER], requested: version }];
      const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': version };
      if (typeof version === 'string') {
        expect(outcomeOf({ ...LIST, params: {} }, { 'mcp-protocol-version': version })).toEqual(refused);
        expect(outcomeOf({ ...LIST, params: { _meta } }, { ...OF_LIST, 'mcp-protocol-version': version })).toEqual(
          refused,
        );
      } else expect(outcomeOf({ ...LIST, params: { _meta } }, OF_LIST)).toEqual(MISMATCH);
    },
  );

  test('the newest revision demands the version and the capabilities of the client in _meta', () => {
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...incomplete } = META;
    const capabilities = (value: unknown) => ({ ...META, 'io.modelcontextprotocol/clientCapabilities': value });
    for (const _meta of [undefined, {}, incomplete, capabilities(null), capabilities('tools')]) {
      expect([_meta, outcomeOf({ ...LIST, params: { _meta } }, OF_LIST)]).toEqual([_meta, [-32602, 400]]);
    }
  });
});
