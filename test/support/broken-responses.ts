import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** The part of a response that arrives. */
export type BrokenResponse =
  /** Carried out. The headers and half of the body arrive, then nothing more. */
  | 'stall'
  /** Carried out. Half of the body arrives, then the connection breaks. */
  | 'break off'
  /** Carried out. Half of the body arrives with a content-length that says that this is all of it. */
  | 'truncate'
  /** Bytes of a header keep arriving, without an end. */
  | 'trickle headers'
  /** Bytes of a body keep arriving, without an end. */
  | 'trickle body';

interface WholeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Milliseconds between two bytes: far fewer than any timeout of the client. */
const TRICKLE = 50;

/** Sends what is left of a response. */
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
