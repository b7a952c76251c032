import type { JSONSchema } from 'json-schema-to-ts';

/** A message of JSON-RPC 2.0 (https://www.jsonrpc.org/specification). */
export const MCP_MESSAGE = {
  type: 'object',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: {
      type: ['string', 'integer'],
      description: 'Repeated in the response. Without it, the message is a notification, which gets no response.',
    },
    method: { type: 'string', minLength: 1, examples: ['tools/call'] },
    params: {
      type: 'object',
      description: 'In revision 2026-07-28, its `_meta` has the version of the protocol and what the client can do.',
    },
  },
} as const satisfies JSONSchema;

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = { mcpMessage: MCP_MESSAGE };
