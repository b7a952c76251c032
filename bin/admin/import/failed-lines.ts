import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { Random } from '../../../functions/domain/ids.ts';
import { formatRow, valuesIn } from '../csv.ts';
import { Failure, InvalidArguments } from '../errors.ts';
import { type Header, REASON_COLUMN } from './header.ts';
import type { Line, OpenFile } from './lines.ts';
import { nameKey } from './mapping.ts';

/** A line that was not imported. */
export interface FailedLine {
  readonly record: Line;
  readonly reason: string;
}

/**
 * The file in `--failed`: the failed lines in the form of the imported file, with a first column that contains their
 * reasons, which imports ignore. It gets its name only when it is complete, and replaces an older file then. Only its
 * owner can read it, because it contains personal data.
 */
export class FailedLines implements AsyncDisposable {
  readonly #path: string;
  readonly #temporaryPath: string;
  readonly #handle: FileHandle;

  private constructor(path: string, temporaryPath: string, handle: FileHandle) {
    this.#path = path;
    this.#temporaryPath = temporaryPath;
    this.#handle = handle;
  }

  /** Creates the file under a temporary name. Throws `Failure`, or `InvalidArguments` if `path` is the imported file. */
  static async create(path: string, source: OpenFile, random: Random): Promise<FailedLines> {
    const existing = await stat(path).catch(() => undefined);
    if (existing && existing.dev === source.stats?.dev && existing.ino === source.stats.ino) {
      throw new InvalidArguments('--failed must not be the file in --file. Give another path.');
    }
    if (existing && !existing.isFile()) {
      throw new Failure('The path in --failed is not the path of a file. Give the path of a CSV file.');
    }
    // A link keeps pointing to the file.
    const target = existing ? await realpath(path) : path;
    const temporaryPath = `${target}.${Buffer.from(random(6)).toString('hex')}.part`;
    return new FailedLines(target, temporaryPath, await open(temporaryPath, 'wx', 0o600).catch(asFailure));
  }

  /** Appends the header. */
  async begin(header: Header): Promise<void> {
    await this.#append(header, [[REASON_COLUMN, ...withoutReason(header, header.names)]]);
  }

  /**
   * Appends failed lines. A line with a misplaced quote becomes one value, and a line that is not text no value, so that
   * they fail again until they are repaired.
   */
  async write(header: Header, failures: readonly FailedLine[]): Promise<void> {
    const rows = failures.map(({ record, reason }) => [
      `line ${record.number}: ${reason}`,
      ...withoutReason(header, valuesIn(record, header.delimiter)),
    ]);
    if (rows.length > 0) await this.#append(header, rows);
  }

  /** Gives the file its name. */
  async complete(): Promise<void> {
    await this.#handle.sync().catch(asFailure);
    await rename(this.#temporaryPath, this.#path).catch(asFailure);
  }

  /** Deletes the file unless it is complete. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
    await rm(this.#temporaryPath, { force: true });
  }

  async #append({ delimiter }: Header, rows: readonly (readonly string[])[]): Promise<void> {
    await this.#handle.appendFile(rows.map((row) => formatRow(row, delimiter)).join('')).catch(asFailure);
  }
}

/** Removes the reason that an earlier import wrote. */
function withoutReason({ names }: Header, values: readonly string[]): readonly string[] {
  return values.filter((_, index) => nameKey(names[index] ?? '') !== REASON_COLUMN);
}

function asFailure(cause: unknown): never {
  const message = 'The file in --failed cannot be written. Check its folder, its permissions and the disk.';
  throw new Failure(message, { cause });
}
