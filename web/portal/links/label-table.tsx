import type { ComponentChildren } from 'preact';
import type { Column } from '../../kit/columns.ts';
import { number, text } from '../../kit/columns.ts';
import { formatNumber } from '../../kit/format.ts';
import { useLoaded } from '../../kit/loaded.ts';
import { periodOf } from '../../kit/period.ts';
import { Table } from '../../kit/table.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/links.ts';
import { type LabelRow, readLabels } from '../labels.ts';
import { hrefOf, useRoute } from '../router.ts';

/** A number that has no heading on a phone, where it stands below the name. */
const below = (name: string, count: (row: LabelRow) => number) =>
  number<LabelRow>(name, (row) => <span data-unit={name}>{formatNumber(count(row))}</span>, 'below');

const COLUMNS = [
  text(WORDS.label, nameOf, 'name'),
  below(COMMON.clicks, ({ clicks }) => clicks),
  below(COMMON.signUps, ({ signUps }) => signUps),
  below(COMMON.paying, ({ paying }) => paying),
];

/** The name of a link, which leads to its referrals. */
function nameOf({ label }: LabelRow) {
  if (label === undefined) return WORDS.otherLabels;
  if (label === null) return WORDS.mainLink;
  return (
    <a href={hrefOf('referrals', { label })}>
      <bdi>{label}</bdi>
    </a>
  );
}

interface LabelTableProps {
  readonly name: string;
  /** Chooses and completes the rows. */
  readonly choose: (rows: readonly LabelRow[]) => readonly LabelRow[];
  readonly lines: number;
  readonly more?: readonly Column<LabelRow>[];
}

/** Which of my links works? The labels of the range in the address. */
export function LabelTable({ name, choose, lines, more = [] }: LabelTableProps) {
  const period = periodOf(useRoute().filters, Date.now());
  const [labels] = useLoaded((signal) => readLabels(period, signal), [period], []);
  const content = (rows: readonly LabelRow[]): ComponentChildren => (
    <>
      {rows.length > 0 && (
        <Table name={name} columns={[...COLUMNS, ...more]} rows={rows} keyOf={({ label }) => JSON.stringify([label])} />
      )}
      {rows.every(({ label }) => label === null) && <p class="empty">{WORDS.labelHint}</p>}
    </>
  );
  return (
    <WhenReady loaded={labels} skeleton={<Skeleton lines={lines} height={2.5} />}>
      {(rows) => (rows ? content(choose(rows)) : <p class="empty">{WORDS.tooMany}</p>)}
    </WhenReady>
  );
}
