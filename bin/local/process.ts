import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isSystemError } from './system-error.ts';

interface ProcessStatus {
  /** `Z` first for a zombie: a process that has ended, but that its parent has not reaped. */
  readonly state: string;
  readonly startTime: string;
}

/**
 * Returns true if the process runs on this machine. Process ids are reused: with `startTime`, a later process that has
 * the id does not count.
 */
export function isAlive(pid: number, startTime?: string): boolean {
  if (!exists(pid)) return false;
  const status = statusOf(pid);
  if (!status) return true;
  return !/^[ZX]/.test(status.state) && (startTime === undefined || status.startTime === startTime);
}

/**
 * Returns when a process started, in a notation of the platform: together with the id it identifies the process.
 * `undefined` if there is no such process, or if the platform does not say.
 */
export function startTimeOf(pid: number): string | undefined {
  return statusOf(pid)?.startTime;
}

function exists(pid: number): boolean {
  try {
    // Signal 0 is not delivered. It can be sent to a zombie too.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return isSystemError(error, 'EPERM');
  }
}

/** Linux has `/proc` and often, in containers, no `ps`; macOS has `ps` only. */
function statusOf(pid: number): ProcessStatus | undefined {
  return statusFromProc(pid) ?? statusFromPs(pid);
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statusFromProc(pid: number): ProcessStatus | undefined {
  const stat = outputOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // Field 2 is the name in parentheses, and may itself hold blanks and parentheses. State is field 3, start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  return state && startTime ? { state, startTime } : undefined;
}

/** The status that `ps` gives of a process. Exported for its test: Linux does not need it. */
export function statusFromPs(pid: number): ProcessStatus | undefined {
  // Locale and time zone are fixed, because two starts may run with different ones.
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const line = outputOf(() =>
    execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const [, state, startTime] = /^(\S+)\s+(\S.*\S)\s*$/.exec(line.trim()) ?? [];
  return state && startTime ? { state, startTime } : undefined;
}

/** Empty if the source is missing on this platform, or does not know the process. */
function outputOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
