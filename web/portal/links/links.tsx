import { useState } from 'preact/hooks';
import { Button, Card, CopyButton } from '../../kit/controls.tsx';
import { formatNumber } from '../../kit/format.ts';
import { periodOf } from '../../kit/period.ts';
import { RangeFields } from '../../kit/range-fields.tsx';
import { Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/links.ts';
import * as SHELL from '../../words/portal/shell.ts';
import { type LabelRow, labelledLink, readLabels } from '../labels.ts';
import { hrefOf, replaceFilters, useRoute } from '../router.ts';
import type { Affiliate } from '../service.ts';
import type { ViewProps } from '../view.ts';
import { Codes } from './codes.tsx';
import { NewLink } from './new-link.tsx';
import { Resources } from './resources.tsx';

/** Which of my links works, and how do I make another one? */
export function Links({ about }: ViewProps) {
  const { filters } = useRoute();
  const period = periodOf(filters, Date.now());
  const [labels] = useLoaded((signal) => readLabels(period, signal), [period], []);
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <Card
        title={SHELL.links}
        kind="untitled"
        beside={
          <div class="filters">
            <RangeFields filters={filters} onFilters={replaceFilters} />
            <Button label={WORDS.newLink} kind="primary" onClick={() => setMaking(true)} />
          </div>
        }
      >
        <WhenReady loaded={labels} skeleton={<Skeleton lines={5} height={2.5} />}>
          {(rows) => <LabelTable about={about} rows={rows} />}
        </WhenReady>
      </Card>
      <Codes />
      <Resources />
      {isMaking && about && <NewLink about={about} onClose={() => setMaking(false)} />}
    </>
  );
}

interface LabelTableProps {
  readonly about: Affiliate | undefined;
  readonly rows: readonly LabelRow[];
}

const NONE: LabelRow = { label: null, clicks: 0, signUps: 0, paying: 0 };

function LabelTable({ about, rows }: LabelTableProps) {
  const isMain = ({ label }: LabelRow) => label === null;
  const shown = rows.some(isMain) ? rows : [...rows, NONE];
  const columns: Column<LabelRow>[] = [
    { id: 'label', name: WORDS.label, cell: nameOf, onPhone: 'name' },
    ...numbers,
    { id: 'copy', name: COMMON.copy, cell: (row) => about && <CopyLink about={about} row={row} />, onPhone: 'below' },
  ];
  return (
    <>
      <Table name={SHELL.links} columns={columns} rows={shown} keyOf={({ label }) => JSON.stringify([label])} />
      {shown.every(isMain) && <p class="empty">{WORDS.labelHint}</p>}
    </>
  );
}

const numbers: readonly Column<LabelRow>[] = [
  { id: 'clicks', name: COMMON.clicks, cell: ({ clicks }) => formatNumber(clicks), isNumber: true },
  {
    id: 'sign-ups',
    name: COMMON.signUps,
    cell: ({ signUps }) => formatNumber(signUps),
    isNumber: true,
    onPhone: 'key',
  },
  { id: 'paying', name: COMMON.paying, cell: ({ paying }) => formatNumber(paying), isNumber: true },
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

function CopyLink({ about, row: { label } }: { readonly about: Affiliate; readonly row: LabelRow }) {
  if (label === undefined) return null;
  if (label === null) return <CopyButton text={about.referral_link} label={COMMON.copyLink} class="link" />;
  return <CopyButton text={labelledLink(about, label)} label={WORDS.copyLabel(label)} class="link" />;
}
