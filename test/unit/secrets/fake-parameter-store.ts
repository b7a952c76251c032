import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { portOf } from '../../../bin/local/engine.ts';

/** A request that the store received. */
interface Received {
  readonly path: string | undefined;
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
}

/** What happens to a request instead of its action: a response with this status and body, or something else. */
export type StoreFault =
  | { readonly status: number; readonly body: string }
  | 'hang'
  | 'drop'
  /** The headers and half of the body arrive. */
  | 'stall';

/** A Parameter Store on this machine, with the actions that the service uses, and pages as short as on AWS. */
export class FakeParameterStore {
  readonly received: Received[] = [];
  readonly parameters = new Map<string, { readonly Value: string; readonly Type: string }>();
  readonly #faults: StoreFault[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const action = String(request.headers['x-amz-target']).replace('AmazonSSM.', '');
    const input = JSON.parse(await text(request));
    this.received.push({ path: request.url, action, input, headers: request.headers });
    const fault = this.#faults.shift();
    if (fault) this.#fail(fault, response);
    else this.#respond(response, action, input);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The next requests fail in these ways. */
  next(...faults: readonly StoreFault[]): void {
    this.#faults.push(...faults);
  }

  reset(): void {
    this.received.length = 0;
    this.#faults.length = 0;
    this.parameters.clear();
  }

  #fail(fault: StoreFault, response: ServerResponse): void {
    if (fault === 'hang') return;
    if (fault === 'drop') response.destroy();
    else if (fault === 'stall') response.writeHead(200, { 'content-length': '1000' }).write('{"Parameters":[');
    else response.writeHead(fault.status).end(fault.body);
  }

  #respond(response: ServerResponse, action: string, input: Readonly<Record<string, unknown>>): void {
    const { status, body } = this.#act(action, input);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  }

  #act(action: string, input: Readonly<Record<string, unknown>>): { status: number; body: object } {
    const name = String(input['Name']);
    switch (action) {
      case 'PutParameter':
        this.parameters.set(name, { Value: String(input['Value']), Type: String(input['Type']) });
        return { status: 200, body: { Tier: 'Standard', Version: 1 } };
      case 'GetParameter': {
        const parameter = this.parameters.get(name);
        return parameter
          ? { status: 200, body: { Parameter: { Name: name, ...parameter } } }
          : { status: 400, body: { __type: 'ParameterNotFound' } };
      }
      case 'GetParametersByPath':
        return { status: 200, body: this.#page(input) };
      case 'DeleteParameters':
        for (const each of input['Names'] as string[]) this.parameters.delete(each);
        return { status: 200, body: { DeletedParameters: input['Names'], InvalidParameters: [] } };
      default:
        return { status: 400, body: { __type: 'com.amazonaws.ssm#InvalidAction' } };
    }
  }

  #page({ Path, MaxResults, NextToken }: Readonly<Record<string, unknown>>): object {
    const all = [...this.parameters].filter(([name]) => name.slice(0, name.lastIndexOf('/')) === Path);
    const start = Number(NextToken ?? 0);
    const end = start + Number(MaxResults);
    return {
      Parameters: all.slice(start, end).map(([Name, parameter]) => ({ Name, ...parameter })),
      ...(end < all.length && { NextToken: String(end) }),
    };
  }
}
