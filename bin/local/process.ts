import { isSystemError } from './system-error.ts';

/** True where a process with this id runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be asked, but is there.
    return isSystemError(error, 'EPERM');
  }
}
