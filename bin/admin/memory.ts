import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the room for new objects as small as it is now. V8 would let it grow to some 64 MB, for a speed that those who
 * wait for the table cannot use (https://nodejs.org/api/v8.html#v8setflagsfromstringflags).
 */
export function keepMemorySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
