import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** How a response breaks. */
export type BrokenResponse =
  /** The request is executed. The headers and half of the body arrive, then nothing more. */
  | 'stall'
  /** The request is executed. Half of the body arrives, then the connection breaks. */
  | 'break off'
  /** The request is executed. Half of the body arrives, with the content-length of this half. */
  | 'truncate'
  /** The bytes of a header keep arriving and never end. */
  | 'trickle headers'
  /** The bytes of a body keep arriving and never end. */
  | 'trickle body';

/** A response as DynamoDB sent it. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Milliseconds between two bytes: much shorter than the client's timeouts. */
const TRICKLE = 50;

/** Sends as much of a response as the fault lets through. */
export function sendBroken(how: BrokenResponse, whole: WholeResponse, outgoing: ServerResponse): void {
  const { status, headers, body } = whole;
  const half = body.subarray(0, body.length / 2);
  switch (how) {
    case 'stall':
      outgoing.writeHead(status, headers).write(half);
      return;
    case 'break off':
      outgoing.writeHead(status, headers).write(half, () => outgoing.destroy());
      return;
    case 'truncate':
      outgoing.writeHead(status, { ...headers, 'content-length': half.length }).end(half);
      return;
    case 'trickle headers':
      trickle(outgoing, 'HTTP/1.1 200 OK\r\nx-endless: ', 'x');
      return;
    case 'trickle body':
      trickle(outgoing, 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n{', ' ');
      return;
  }
}

function trickle({ socket }: ServerResponse, start: string, byte: string): void {
  if (!socket) return;
  socket.write(start);
  const timer = setInterval(() => socket.write(byte), TRICKLE);
  socket.once('close', () => clearInterval(timer));
}
