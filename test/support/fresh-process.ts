import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** The report of a fresh process that loaded a function and called it once. */
export interface FreshStart<Response = APIGatewayProxyStructuredResultV2> {
  /** Milliseconds from the start of the import to its end, top-level `await` included. */
  readonly init: number;
  /** Milliseconds from the call of the handler to its response. */
  readonly request: number;
  /** `null` if the handler was not called. */
  readonly response: Response | null;
  /** The process's standard error. */
  readonly stderr: string;
}

/** Loads a function in a process of its own, as Lambda does. Calls it once if there is an event. */
export async function startFresh<Response = APIGatewayProxyStructuredResultV2>(
  file: string,
  event: object | undefined,
  environment: Readonly<Record<string, string>>,
): Promise<FreshStart<Response>> {
  const call = `await handler(${JSON.stringify(event)}, { awsRequestId: '1', getRemainingTimeInMillis: () => 10_000 })`;
  const program = `
    const begin = performance.now();
    const { handler } = await import(${JSON.stringify(pathToFileURL(file))});
    const loaded = performance.now();
    const response = ${event ? call : 'null'};
    const end = performance.now();
    const report = JSON.stringify({ init: loaded - begin, request: end - loaded, response });
    process.stdout.write(report, () => process.exit());
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { env: environment });
  const read = async (stream: AsyncIterable<unknown>) => {
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text;
  };
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)]);
  if (stdout === '') throw new Error(`The function does not start: ${stderr}`);
  return { ...JSON.parse(stdout), stderr };
}
