import { useEffect, useRef, useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { type ApiError, toApiError } from './api-error.ts';
import { Button } from './button.tsx';
import { type Cell, type CsvPage, readRows, writeCsv } from './csv.ts';
import { formatNumber } from './format.ts';
import { Problem } from './messages.tsx';

interface CsvButtonProps<Row> {
  readonly file: string;
  readonly columns: readonly string[];
  readonly cells: (row: Row) => readonly Cell[];
  readonly read: (cursor: string | undefined, signal: AbortSignal) => Promise<CsvPage<Row>>;
  /** Says how to get the rest of a list with more than 10,000 rows. */
  readonly whenCut: string;
}

type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading'; readonly rows: number }
  | { readonly kind: 'done'; readonly rows: number; readonly isCut: boolean }
  | { readonly kind: 'failed'; readonly error: ApiError };

/** Downloads a list as CSV. It reads page by page, says how far it is, and can be cancelled. */
export function CsvButton<Row>({ file, columns, cells, read, whenCut }: CsvButtonProps<Row>) {
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  async function download(): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    abort.current = controller;
    setProgress({ kind: 'reading', rows: 0 });
    try {
      const page = (cursor: string | undefined) => read(cursor, signal);
      const { rows, isCut } = await readRows(page, (count) => setProgress({ kind: 'reading', rows: count }));
      signal.throwIfAborted();
      saveFile(file, 'text/csv;charset=utf-8', writeCsv(columns, rows.map(cells)));
      setProgress({ kind: 'done', rows: rows.length, isCut });
    } catch (error) {
      setProgress(signal.aborted ? { kind: 'idle' } : { kind: 'failed', error: toApiError(error) });
    }
  }

  const isReading = progress.kind === 'reading';
  return (
    <div class="csv">
      <Button
        label={isReading ? COMMON.cancel : COMMON.downloadCsv}
        onClick={() => (isReading ? abort.current?.abort() : void download())}
      />
      <p role="status">
        {progress.kind === 'reading' && COMMON.csvProgress(formatNumber(progress.rows))}
        {progress.kind === 'done' && COMMON.csvDone(formatNumber(progress.rows))}
        {progress.kind === 'done' && progress.isCut && ` ${whenCut}`}
      </p>
      {progress.kind === 'failed' && <Problem error={progress.error} onRetry={() => void download()} />}
    </div>
  );
}

export function saveFile(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has opened the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
