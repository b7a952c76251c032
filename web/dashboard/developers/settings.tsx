import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Skeleton } from '../../kit/status.tsx';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { type Program, useDashboard } from '../context.ts';
import { Fields, SelectField } from '../fields.tsx';
import { Form, TextField } from '../form-dialog.tsx';
import { changedSettings, TEXTS, type TypedSettings, typedOf } from './setting-fields.ts';

const EMAILS = ['full', 'masked', 'none'] as const;
const SLUGS = ['names', 'random'] as const;

/** The settings of the program. A link to them moves the focus here. */
export function Settings() {
  const id = useId();
  const { program, can, filters } = useDashboard();
  const card = useRef<HTMLElement>(null);
  const isTarget = program !== undefined && filters['to'] === 'settings';
  useEffect(() => {
    if (isTarget) card.current?.focus();
  }, [isTarget]);
  return (
    <section class="card" aria-labelledby={id} ref={card} tabIndex={-1}>
      <div class="card-head">
        <h2 id={id}>{DEVELOPERS.settings}</h2>
        {program && !can('admin') && <p class="soft">{DEVELOPERS.needsAdmin}</p>}
      </div>
      {program ? <SettingsForm program={program} /> : <Skeleton lines={5} height={3} />}
    </section>
  );
}

function SettingsForm({ program }: { readonly program: Program }) {
  const { api, can, reloadProgram } = useDashboard();
  const [before, setBefore] = useState(() => typedOf(program.attributes));
  const [typed, setTyped] = useState(before);
  const [isSaved, setSaved] = useState(false);
  const change = (changes: Partial<TypedSettings>) => {
    setSaved(false);
    setTyped((last) => ({ ...last, ...changes }));
  };
  async function save(): Promise<void> {
    const body = changedSettings(before, typed);
    if (Object.keys(body).length > 0) {
      const { data } = (await api.send('patch', '/v2/program', { body })).body;
      const stored = typedOf(data.attributes);
      setBefore(stored);
      setTyped(stored);
      reloadProgram();
    }
    setSaved(true);
  }
  const fields = (
    <Fields isLocked={!can('admin')}>
      <div class="settings">
        {TEXTS.map((name) => {
          const [label, hint] = DEVELOPERS.fields[name];
          const input = { value: typed[name], onInput: (value: string) => change({ [name]: value }) };
          return <TextField key={name} label={label} hint={hint} {...input} />;
        })}
        <SelectField
          label={DEVELOPERS.seesEmail}
          value={typed.affiliates_see_email}
          options={EMAILS.map((each) => [each, DEVELOPERS.seesEmailChoices[each]] as const)}
          onChange={(affiliates_see_email) => change({ affiliates_see_email })}
        />
        <SelectField
          label={DEVELOPERS.slugs}
          value={typed.slugs}
          options={SLUGS.map((each) => [each, DEVELOPERS.slugChoices[each]] as const)}
          onChange={(slugs) => change({ slugs })}
        />
      </div>
    </Fields>
  );
  if (!can('admin')) return fields;
  return (
    <Form onSave={save} save={DEVELOPERS.saveSettings}>
      {fields}
      <p role="status" class="soft">
        {isSaved && DEVELOPERS.settingsSaved}
      </p>
    </Form>
  );
}
