import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Makes a server listen on a port of this machine. Resolves to what closes it when the requests under way have ended.
 * Throws an error with one clear sentence where the port cannot be used.
 */
export async function listen(server: Server, port: number): Promise<() => Promise<void>> {
  // Browsers open connections ahead of any request, and Node waits for these as for busy ones.
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    // A page that goes on asking over its connection would keep up a server that is to close.
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    throw new Error(`Port ${port} cannot be used, most likely because it is taken: set PORT to another one.`);
  }
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
    await closed;
  };
}
