import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** A listener whose backlog is full, so that the system drops what asks for another connection, until `release`. */
interface FullListener {
  readonly port: number;
  /** Accepts all connections from now on, and responds to each request with 204. */
  release(): void;
  stop(): Promise<unknown>;
}

/** The thread that listens does not accept anything until it is woken up. */
const LISTEN = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end('HTTP/1.1 204 No Content\\r\\n\\r\\n'));
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });
`;
/** Linux accepts one connection more than the backlog (listen(2)). */
const BACKLOG = 2;

/** Starts to listen on 127.0.0.1. */
export async function startFullListener(): Promise<FullListener> {
  const isReleased = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(LISTEN, { eval: true, workerData: isReleased });
  const [port] = (await once(worker, 'message')) as [number];
  const fillers: Socket[] = [];
  for (let index = 0; index < BACKLOG; index += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    fillers.push(socket);
  }
  const release = () => {
    Atomics.store(isReleased, 0, 1);
    Atomics.notify(isReleased, 0);
  };
  return {
    port,
    release,
    stop: () => {
      release();
      for (const socket of fillers) socket.destroy();
      return worker.terminate();
    },
  };
}
