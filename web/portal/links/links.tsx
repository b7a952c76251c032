import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { number } from '../../kit/columns.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { RangeFields } from '../../kit/range-fields.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/links.ts';
import * as SHELL from '../../words/portal/shell.ts';
import { type LabelRow, labelledLink } from '../labels.ts';
import { replaceFilters, useRoute } from '../router.ts';
import type { Affiliate } from '../service.ts';
import type { ViewProps } from '../view.ts';
import { Codes } from './codes.tsx';
import { LabelTable } from './label-table.tsx';
import { NewLink } from './new-link.tsx';
import { Resources } from './resources.tsx';

/** Which of my links works, and how do I make another one? */
export function Links({ about }: ViewProps) {
  const { filters } = useRoute();
  const [isMaking, setMaking] = useState(false);
  const copy = (row: LabelRow) => about && <CopyLink about={about} row={row} />;
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
        <LabelTable
          name={SHELL.links}
          choose={(rows) => (rows.some(({ label }) => label === null) ? rows : [...rows, NONE])}
          lines={5}
          more={[number(COMMON.copy, copy, 'key')]}
        />
        <p class="hint">{WORDS.visitorsOnly}</p>
      </Card>
      <Codes />
      <Resources />
      {isMaking && about && <NewLink about={about} onClose={() => setMaking(false)} />}
    </>
  );
}

const NONE: LabelRow = { label: null, clicks: 0, signUps: 0, paying: 0 };

function CopyLink({ about, row: { label } }: { readonly about: Affiliate; readonly row: LabelRow }) {
  if (label === undefined) return null;
  if (label === null) return <CopyButton text={about.referral_link} label={COMMON.copy} name={COMMON.copyLink} />;
  return <CopyButton text={labelledLink(about, label)} label={COMMON.copy} name={WORDS.copyLabel(label)} />;
}
