import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface ProcessStatus {
  /** Starts with `Z` for a zombie: a process that has ended but that its parent has not reaped. */
  readonly state: string;
  readonly startTime: string;
}

/** Returns true for an error of the operating system with this code, for example `EEXIST`. */
export function isSystemError(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/**
 * Returns true if the process runs on this machine. Process ids are reused: with `startTime`, a later process with the
 * same id does not count.
 */
export function isAlive(pid: number, startTime?: string): boolean {
  try {
    // Signal 0 only checks that the process exists. The check also succeeds for a zombie.
    process.kill(pid, 0);
  } catch (error) {
    // With EPERM, the process exists but belongs to another user.
    if (!isSystemError(error, 'EPERM')) return false;
  }
  const status = statusOf(pid);
  if (!status) return true;
  return !/^[ZX]/.test(status.state) && (startTime === undefined || status.startTime === startTime);
}

/**
 * Returns the start time of a process in the platform's own format. Id and start time together identify a process.
 * Returns `undefined` if the process does not exist or the platform does not report the time.
 */
export function startTimeOf(pid: number): string | undefined {
  return statusOf(pid)?.startTime;
}

/** Linux has `/proc`, but containers often lack `ps`. macOS has only `ps`. */
function statusOf(pid: number): ProcessStatus | undefined {
  return statusFromProc(pid) ?? statusFromPs(pid);
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statusFromProc(pid: number): ProcessStatus | undefined {
  const stat = outputOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // Field 2, the name in parentheses, may itself contain spaces and parentheses. State is field 3, start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  return state && startTime ? { state, startTime } : undefined;
}

/** Reads the status of a process from `ps`. Exported for its test, because Linux does not need it. */
export function statusFromPs(pid: number): ProcessStatus | undefined {
  // Locale and time zone are fixed, because two starts may run with different ones.
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const command = ['-o', 'stat=,lstart=', '-p', String(pid)];
  const line = outputOf(() =>
    execFileSync('ps', command, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const [, state, startTime] = /^(\S+)\s+(\S.*\S)\s*$/.exec(line.trim()) ?? [];
  return state && startTime ? { state, startTime } : undefined;
}

/** Returns the result of `read`, or an empty string if the source or the process does not exist. */
function outputOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
