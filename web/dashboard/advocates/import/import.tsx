import { useEffect, useRef, useState } from 'preact/hooks';
import { applicantName } from '../../../kit/applicant.ts';
import { Button } from '../../../kit/button.tsx';
import { type Column, text } from '../../../kit/columns.ts';
import { writeCsv } from '../../../kit/csv.ts';
import { saveFile } from '../../../kit/csv-button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { formatNumber } from '../../../kit/format.ts';
import { Alert } from '../../../kit/messages.tsx';
import { Table } from '../../../kit/table.tsx';
import * as COMMON from '../../../words/common.ts';
import * as ADVOCATES from '../../../words/dashboard/advocates.ts';
import { keepOpen } from '../../form-dialog.tsx';
import { Email } from '../../person.tsx';
import { fourAtATime } from '../in-turn.ts';
import { type ImportFile, type ImportRow, MAX_IMPORT, parseImport } from './file.ts';
import { checkRows, importRow, type RowResult } from './run.ts';

/** Adds the advocates of a file one by one. It shows what became of each row, and can be repeated with the same file. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const [file, setFile] = useState<ImportFile>();
  const [results, setResults] = useState<ReadonlyMap<number, RowResult>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const [hasRun, setHasRun] = useState(false);
  const isCancelled = useRef(false);
  useEffect(() => {
    return () => {
      isCancelled.current = true;
    };
  }, []);
  const rows = file?.rows ?? [];
  const fault = file && faultOf(file);
  const count = (...kinds: readonly RowResult['kind'][]) =>
    rows.filter(({ line }) => kinds.some((kind) => kind === results.get(line)?.kind)).length;
  const due = rows.filter(({ line, fields }) => {
    const kind = results.get(line)?.kind;
    return fields.email !== undefined && (kind === 'open' || kind === 'failed');
  });
  async function choose(chosen: File | undefined): Promise<void> {
    if (!chosen) return;
    const parsed = parseImport(await chosen.text());
    setFile(parsed);
    setResults(checkRows(parsed.rows));
    setHasRun(false);
  }
  async function run(): Promise<void> {
    isCancelled.current = false;
    setRunning(true);
    setHasRun(true);
    const work = async ({ line, fields }: ImportRow) => {
      const result = await importRow(fields);
      setResults((last) => new Map(last).set(line, result));
    };
    await fourAtATime(due, work, () => isCancelled.current);
    setRunning(false);
  }
  const failed = rows.filter(({ line }) => results.get(line)?.kind === 'failed');
  const download = () =>
    saveFile(
      'failed-advocates.csv',
      'text/csv;charset=utf-8',
      writeCsv(
        [...(file?.head ?? []), ADVOCATES.reason],
        failed.map(({ cells, line }) => [...cells, results.get(line)?.sentence]),
      ),
    );
  const stop = () => {
    isCancelled.current = true;
  };
  return (
    // During an import, its rows stay: Escape and "Close" only stop it.
    <Dialog title={ADVOCATES.importCsv} onClose={isRunning ? stop : onClose} shape="drawer">
      <div ref={keepOpen} class="form whole-texts">
        <label class="field">
          <span>{ADVOCATES.file}</span>
          <input
            type="file"
            accept=".csv,text/csv"
            disabled={isRunning}
            onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
          />
        </label>
        <p class="hint">{ADVOCATES.fileHint}</p>
        {fault !== undefined && <Alert title={fault} />}
        {file && fault === undefined && (
          <>
            {file.ignored.length > 0 && <p class="soft">{ADVOCATES.ignored(file.ignored.join(', '))}</p>}
            <div class="buttons">
              {isRunning ? (
                <Button label={COMMON.cancel} onClick={stop} />
              ) : (
                due.length > 0 && (
                  <Button
                    label={(hasRun ? ADVOCATES.importRest : ADVOCATES.importCount)(due.length)}
                    kind="primary"
                    onClick={() => void run()}
                  />
                )
              )}
              {!isRunning && failed.length > 0 && <Button label={ADVOCATES.failedCsv} onClick={download} />}
            </div>
            <p role="status">
              {isRunning
                ? ADVOCATES.done(count('added', 'skipped', 'failed'), rows.length)
                : ADVOCATES.summary(count('added'), count('skipped'), failed.length, count('open'))}
            </p>
            <Table
              name={ADVOCATES.preview}
              columns={columnsOf(results)}
              rows={rows}
              keyOf={({ line }) => String(line)}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Returns why no row of a file can be imported. */
function faultOf({ rows, hasEmail }: ImportFile): string | undefined {
  if (!hasEmail) return ADVOCATES.noEmailColumn;
  if (rows.length === 0) return ADVOCATES.noRows;
  return rows.length > MAX_IMPORT ? ADVOCATES.tooManyRows(formatNumber(rows.length)) : undefined;
}

function columnsOf(results: ReadonlyMap<number, RowResult>): Column<ImportRow>[] {
  return [
    text(ADVOCATES.row, ({ line }) => line),
    text(
      COMMON.advocate,
      ({ fields: { email = '', first_name = null, last_name = null, slug } }) => (
        <>
          <bdi>{applicantName({ first_name, last_name })}</bdi>
          <Email email={email} />
          {slug !== undefined && <bdi class="person-line">{slug}</bdi>}
        </>
      ),
      'name',
    ),
    text(COMMON.result, ({ line }) => results.get(line)?.sentence, 'below'),
  ];
}
