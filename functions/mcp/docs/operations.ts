import { validBody } from '../../kernel/http/validation.ts';
import { asReceived, example, type Operations } from '../../openapi/operation.ts';
import type { MCP_ROUTES } from '../http/routes.ts';
import { MCP_MESSAGE } from '../http/schema.ts';
import { mcpMessage } from '../http/validators.js';
import { EARLIER_REVISION, REVISION, resultFor } from '../rules/protocol.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const;
const CALL = {
  ...{ jsonrpc: '2.0', id: 2, method: 'tools/call' },
  params: { name: 'getStatistics', arguments: { range: 'lifetime' } },
} as const;

const RESPONSE = {
  type: 'object',
  required: ['jsonrpc', 'id'],
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: MCP_MESSAGE.properties.id,
    result: { type: 'object' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' }, data: { type: 'object' } },
    },
  },
} as const;
const EMPTY_LIST = '{"data":[],"meta":{"pagination":{"page":1,"per_page":25,"has_more":false}}}';

/** Documents the operations of assistants. */
export const MCP_OPERATIONS: Operations<typeof MCP_ROUTES> = {
  callMcp: {
    summary: 'Send a message of an assistant',
    description: `The Model Context Protocol, stateless, in the revisions ${REVISION} and ${EARLIER_REVISION}: \`tools/list\` lists the reads that the token allows, \`tools/call\` carries one out with the same token. Results are the responses of the operations as text: at most 25,000 characters, emails masked unless the program's \`assistants_see_email\` is \`full\`. \`next_cursor\` is the \`cursor\` of the next page. An error of an operation is a result with \`isError\`. An \`Origin\` must be the service's own or an allowed origin of the program.`,
    body: {
      schema: MCP_MESSAGE,
      parse: (body) => validBody(body, mcpMessage),
      examples: { list: example('Which tools?', LIST), call: example('Call a tool', CALL) },
    },
    errorSchema: RESPONSE,
    successes: {
      200: {
        description: 'The result, or in the earlier revision an error of the protocol.',
        schema: RESPONSE,
        examples: {
          called: example(
            'The result of a tool',
            asReceived({
              ...{ jsonrpc: '2.0', id: 2 },
              result: resultFor(
                REVISION,
                { name: 'referral-tracking', version: '1.1.0' },
                { content: [{ type: 'text', text: EMPTY_LIST }], isError: false },
              ),
            }),
          ),
        },
      },
      202: { description: 'A notification, which gets no response.' },
      404: { description: 'In the newer revision, an unknown method: an error of the protocol.', schema: RESPONSE },
    },
    errors: ['forbidden'],
  },
  openMcpStream: {
    summary: 'Ask for a stream',
    description: 'Returns 405 with `Allow: POST`: the service sends nothing by itself.',
    successes: {},
    errors: ['method_not_allowed'],
  },
};
