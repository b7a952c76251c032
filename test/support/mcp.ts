import { afterAll } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { EARLIER_REVISION, REVISION, type Revision } from '../../functions/mcp/rules/protocol.ts';
import { type OperationId, ROUTES } from '../../functions/routes.ts';
import type { ApiRequest } from './drivers.ts';

/** The official client, connected with a token. */
export interface Assistant {
  readonly client: Client;
  /** The names of the tools, in the order of the service. */
  readonly tools: () => Promise<string[]>;
  /** Calls a tool. Returns its text, and whether it is the sentence of an error. */
  readonly call: (name: string, given?: Record<string, unknown>) => Promise<{ text: string; isError: boolean }>;
  /** Calls a tool. Returns the parsed JSON of its text. Throws the sentence of an error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  readonly read: (name: string, given?: Record<string, unknown>) => Promise<any>;
}

/** Returns what connects the official client to `POST /mcp`, and closes each connection after the tests of a file. */
export function useAssistants(baseUrl: () => string) {
  const clients: Client[] = [];
  afterAll(() => Promise.all(clients.map((client) => client.close())));
  return async (token: string, revision: Revision = REVISION): Promise<Assistant> => {
    const mode = revision === EARLIER_REVISION ? 'legacy' : { pin: revision };
    const client = new Client({ name: 'a-test', version: '1.0.0' }, { versionNegotiation: { mode } });
    clients.push(client);
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl()}/mcp`), { requestInit: { headers } }));
    const call: Assistant['call'] = async (name, given = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: given });
      const [part, ...others] = content;
      if (part?.type !== 'text' || others.length > 0) throw new Error('The result is not one text.');
      return { text: part.text, isError };
    };
    return {
      client,
      call,
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      read: async (name, given) => {
        const { text, isError } = await call(name, given);
        if (isError) throw new Error(text);
        return JSON.parse(text);
      },
    };
  };
}

/** The request of an operation that has the arguments of a tool in its path, its query or its body. */
export function requestWith(operation: OperationId, given: Readonly<Record<string, unknown>>): ApiRequest {
  if (ROUTES[operation].method === 'POST') return { operation, body: given };
  const { id, ...others } = given;
  const query = new URLSearchParams(Object.entries(others).map(([name, value]) => [name, String(value)]));
  return { operation, query: query.toString(), ...(id !== undefined && { id: String(id) }) };
}
