import type { EventsFile } from './file.ts';

/** How far a shard of a stream has been published. */
export interface Position {
  /** The sequence number of the last published record; `undefined` if the shard ended without one. */
  readonly sequence: string | undefined;
  readonly ended: boolean;
}

/** How far the stream of a table has been published. */
export interface PublishedUpTo {
  readonly table: string;
  /** Identifies the stream among those of tables with this name. */
  readonly label: string;
  /** The sequence number of the last published record. */
  readonly sequence: number;
}

/** A table and its stream in the stream's ARN. */
const STREAM_ARN = /:table\/(?<table>[^/]+)\/stream\/(?<label>.+)$/;

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

  /** Lists how far the streams have been published. */
  list(): PublishedUpTo[] {
    const rows = this.#file.read((database) => database.prepare('SELECT stream, sequence FROM position').all());
    return rows.flatMap(({ stream, sequence }) => {
      const { table, label } = STREAM_ARN.exec(String(stream))?.groups ?? {};
      return table === undefined || label === undefined ? [] : { table, label, sequence: Number(sequence) };
    });
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
