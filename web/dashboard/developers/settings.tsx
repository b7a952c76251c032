import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { RequestBody } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { SelectField, TextField } from '../../kit/controls.tsx';
import { rulesText } from '../../kit/rules.ts';
import { Skeleton } from '../../kit/status.tsx';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { Fields, Form } from '../form-dialog.tsx';
import { type Program, useDashboard } from '../router.ts';

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
  const { commission_rules: rules } = program.attributes;
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
      {rules !== null && <p class="soft">{DEVELOPERS.rules(rulesText(rules))}</p>}
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

type Attributes = Program['attributes'];
type Changes = RequestBody<'/v2/program', 'patch'>;

const TEXTS = [
  'name',
  'site_url',
  'link_parameter',
  'commission_percentage',
  'commission_months',
  'payable_after_days',
  'attribution_days',
  'allowed_origins',
] as const;
type Text = (typeof TEXTS)[number];

type TypedSettings = Readonly<Record<Text, string>> & Pick<Attributes, 'affiliates_see_email' | 'slugs'>;

const textOf = (value: string | number | null) => (value === null ? '' : String(value));

function typedOf(attributes: Attributes): TypedSettings {
  return {
    ...attributes,
    commission_percentage: textOf(attributes.commission_percentage),
    commission_months: textOf(attributes.commission_months),
    payable_after_days: textOf(attributes.payable_after_days),
    attribution_days: textOf(attributes.attribution_days),
    allowed_origins: attributes.allowed_origins.join(' '),
  };
}

/** Returns only the settings that were changed, so that nobody else's change is undone. */
function changedSettings(before: TypedSettings, typed: TypedSettings): Changes {
  const isChanged = (field: keyof TypedSettings) => typed[field].trim() !== before[field];
  const origins = typed.allowed_origins.split(/[\s,]+/).filter(Boolean);
  return {
    ...(isChanged('name') && { name: typed.name.trim() }),
    ...(isChanged('site_url') && { site_url: typed.site_url.trim() }),
    ...(isChanged('link_parameter') && { link_parameter: typed.link_parameter.trim() }),
    ...(isChanged('commission_percentage') && { commission_percentage: optional(typed, 'commission_percentage') }),
    ...(isChanged('commission_months') && { commission_months: optional(typed, 'commission_months') }),
    ...(isChanged('payable_after_days') && { payable_after_days: numberOf(typed, 'payable_after_days') }),
    ...(isChanged('attribution_days') && { attribution_days: numberOf(typed, 'attribution_days') }),
    ...(isChanged('allowed_origins') && { allowed_origins: origins }),
    ...(isChanged('affiliates_see_email') && { affiliates_see_email: typed.affiliates_see_email }),
    ...(isChanged('slugs') && { slugs: typed.slugs }),
  };
}

const optional = (typed: TypedSettings, field: Text) => (typed[field].trim() === '' ? null : numberOf(typed, field));

/** Reads a number. The API checks its range. */
function numberOf(typed: TypedSettings, field: Text): number {
  const text = typed[field].trim();
  const [label] = DEVELOPERS.fields[field];
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new ApiError(DEVELOPERS.notNumber(label), -1);
  return Number(text);
}
