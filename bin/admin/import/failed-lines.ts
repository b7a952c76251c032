import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { Random } from '../../../functions/domain/ids.ts';
import { formatRow, valuesIn } from '../csv.ts';
import { Failure, InvalidArguments } from '../errors.ts';
import type { Line, OpenFile } from './lines.ts';
import { type Header, nameKey, REASON_COLUMN } from './mapping.ts';

type FailedLine = { readonly record: Line; readonly reason: string };

export type FailedLines = Awaited<ReturnType<typeof createFailedLines>>;

/** Creates the file in `--failed`, which only its owner can read. It gets its name only when it is complete. */
export async function createFailedLines(path: string, source: OpenFile, random: Random) {
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
  const handle = await open(temporaryPath, 'wx', 0o600).catch(asFailure);
  const append = ({ delimiter }: Header, rows: readonly (readonly string[])[]) =>
    handle.appendFile(rows.map((row) => formatRow(row, delimiter)).join('')).catch(asFailure);
  return {
    begin: (header: Header) => append(header, [[REASON_COLUMN, ...withoutReason(header, header.names)]]),
    /** A line with a misplaced quote becomes one value, and a line that is not text no value: they fail again. */
    write: async (header: Header, failures: readonly FailedLine[]) => {
      const rows = failures.map(({ record, reason }) => [
        `line ${record.number}: ${reason}`,
        ...withoutReason(header, valuesIn(record, header.delimiter)),
      ]);
      if (rows.length > 0) await append(header, rows);
    },
    complete: async () => {
      await handle.sync().catch(asFailure);
      await rename(temporaryPath, target).catch(asFailure);
    },
    [Symbol.asyncDispose]: async () => {
      await handle.close();
      await rm(temporaryPath, { force: true });
    },
  };
}

function withoutReason({ names }: Header, values: readonly string[]): readonly string[] {
  return values.filter((_, index) => nameKey(names[index] ?? '') !== REASON_COLUMN);
}

function asFailure(cause: unknown): never {
  const message = 'The file in --failed cannot be written. Check its folder, its permissions and the disk.';
  throw new Failure(message, { cause });
}
