import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { quantile } from './report.ts';

/** A request over HTTP, and the status that is expected. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

/** Results of a load. Times are in milliseconds, from the request to the end of the response. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Responses with another status. They are not part of the other figures. */
  readonly others: number;
}

/** Connections, each with one request at any time, and seconds of the load and of the warm-up before it. */
export interface LoadScale {
  readonly connections: number;
  readonly seconds: number;
  readonly warmUp: number;
}

/** Sends requests over connections that stay open: each sends the next request after the response to the last one. */
export async function load(baseUrl: string, next: () => LoadRequest, scale: LoadScale): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: scale.connections });
  try {
    await run(agent, baseUrl, next, scale.connections, scale.warmUp);
    return await run(agent, baseUrl, next, scale.connections, scale.seconds);
  } finally {
    agent.destroy();
  }
}

async function run(agent: Agent, baseUrl: string, next: () => LoadRequest, connections: number, seconds: number) {
  const times: number[] = [];
  let others = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const sendUntilTheEnd = async () => {
    while (performance.now() < until) {
      const sent = next();
      const sentAt = performance.now();
      const status = await statusOf(agent, baseUrl, sent);
      if (status === sent.status) times.push(performance.now() - sentAt);
      else others += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, sendUntilTheEnd));
  const perSecond = (times.length * 1000) / (performance.now() - startedAt);
  return { perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99), others };
}

/** Reads the whole response. */
async function statusOf(agent: Agent, baseUrl: string, { method, path, headers, body = '' }: LoadRequest) {
  const sent = request(new URL(path, baseUrl), { agent, method, headers });
  const responses = once(sent, 'response');
  sent.end(body);
  const [response] = await responses;
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}
