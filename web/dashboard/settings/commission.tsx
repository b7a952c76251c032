import { useId } from 'preact/hooks';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { type Draft, type Field, typed, whole } from './fields.ts';
import { StoredForm } from './form.tsx';
import type { ProgramSectionProps, ProgramSettings } from './stored.ts';
import { TERMS_FIELDS, termsDraft, termsSentence } from './terms.ts';

const FIELDS: readonly Field[] = [
  ...TERMS_FIELDS,
  {
    name: 'payable_after_days',
    label: SETTINGS.holdPeriod,
    hint: SETTINGS.holdPeriodHint,
    inputMode: 'numeric',
    parse: whole,
  },
  {
    kind: 'choice',
    name: 'code_priority',
    label: SETTINGS.codePriority,
    options: [
      ['link', SETTINGS.linkWins],
      ['code', SETTINGS.codeWins],
    ],
  },
];

const draftOf = (settings: ProgramSettings): Draft => ({
  ...termsDraft(settings),
  payable_after_days: typed(settings.payable_after_days),
  code_priority: settings.code_priority,
});

export function CommissionSection(program: ProgramSectionProps) {
  return (
    <StoredForm {...program} fields={FIELDS} draftOf={draftOf}>
      {(view, draft) => (
        <>
          <p class="soft">{SETTINGS.onlyNew}</p>
          {view('commission_percentage', 'commission_months', 'commission_rules')}
          <Earns draft={draft} nothing={SETTINGS.earnsNothing} />
          {view('payable_after_days', 'code_priority')}
        </>
      )}
    </StoredForm>
  );
}

/** Says what advocates earn by the terms as they are typed. */
export function Earns({ draft, nothing }: { readonly draft: Draft; readonly nothing: string }) {
  const id = useId();
  const sentence = termsSentence(draft, nothing);
  return (
    <div class="box">
      <p id={id} class="soft">
        {SETTINGS.earns}
      </p>
      <output aria-labelledby={id}>{sentence ?? '…'}</output>
    </div>
  );
}
