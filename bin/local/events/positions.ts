import type { EventsFile } from './file.ts';

/** How far a shard of a stream has been published. */
export interface Position {
  /** The sequence number of the last published record; `undefined` if the shard ended without one. */
  readonly sequence: string | undefined;
  readonly ended: boolean;
}

/** The positions in the streams, stored beside the queue into which their events were published. */
export class Positions {
  readonly #file: EventsFile;

  constructor(file: EventsFile) {
    this.#file = file;
  }

  /** Returns the position in a shard; `undefined` if nothing of it was published. */
  of(stream: string, shard: string): Position | undefined {
    const row = this.#file.read((database) =>
      database.prepare('SELECT sequence, ended FROM position WHERE stream = ? AND shard = ?').get(stream, shard),
    );
    return row && { sequence: String(row['sequence']) || undefined, ended: row['ended'] === 1 };
  }

  /** Stores that a shard was published up to a sequence number. */
  advance(stream: string, shard: string, sequence: string): void {
    this.#file.write((database) =>
      database.prepare('INSERT OR REPLACE INTO position VALUES (?, ?, ?, 0)').run(stream, shard, sequence),
    );
  }

  /** Stores that a shard has ended and that all of it was published. */
  end(stream: string, shard: string): void {
    this.#file.write((database) =>
      database
        .prepare("INSERT INTO position VALUES (?, ?, '', 1) ON CONFLICT (stream, shard) DO UPDATE SET ended = 1")
        .run(stream, shard),
    );
  }
}
