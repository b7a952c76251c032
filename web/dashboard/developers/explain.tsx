import { useState } from 'preact/hooks';
import { Card } from '../../kit/card.tsx';
import { SelectField, TextField } from '../../kit/fields.tsx';
import { submitting } from '../../kit/forms.tsx';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { type About, Explanation } from '../explanation.tsx';

type Identifier = (typeof DEVELOPERS.IDENTIFIERS)[number][0];

const ABOUT: { readonly [By in Identifier]: (value: string) => About } = {
  email: (email) => ({ email }),
  uid: (uid) => ({ uid }),
  id: (id) => ({ id }),
  gr_id: (gr_id) => ({ gr_id }),
  code: (code) => ({ code }),
  payment_id: (payment_id) => ({ payment_id }),
};

/** Asks why a customer is credited, or not, by anything that identifies the customer. */
export function Explain() {
  const [by, setBy] = useState<Identifier>('email');
  const [typed, setTyped] = useState('');
  const [about, setAbout] = useState<About>();
  return (
    <Card title={DEVELOPERS.SECTIONS.explain} advice={DEVELOPERS.explainAdvice}>
      <form class="inline-form" onSubmit={submitting(() => setAbout(ABOUT[by](typed.trim())))}>
        <SelectField label={DEVELOPERS.explainBy} value={by} options={DEVELOPERS.IDENTIFIERS} onChange={setBy} />
        <TextField label={DEVELOPERS.explainValue} isRequired value={typed} onInput={setTyped} />
        <button type="submit" class="primary">
          {DEVELOPERS.explain}
        </button>
      </form>
      {about && <Explanation key={JSON.stringify(about)} about={about} />}
    </Card>
  );
}
