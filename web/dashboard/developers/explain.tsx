import { useState } from 'preact/hooks';
import { Card, SelectField, TextField } from '../../kit/controls.tsx';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { type About, Explanation } from '../explanation.tsx';

const IDENTIFIERS = ['email', 'uid', 'id', 'gr_id', 'code', 'payment_id'] as const;
type Identifier = (typeof IDENTIFIERS)[number];

/** Asks why a customer is credited, or not, by anything that identifies the customer. */
export function Explain() {
  const [by, setBy] = useState<Identifier>('email');
  const [typed, setTyped] = useState('');
  const [about, setAbout] = useState<About>();
  return (
    <Card title={DEVELOPERS.SECTIONS.explain} advice={DEVELOPERS.explainAdvice}>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          setAbout(aboutOf(by, typed.trim()));
        }}
      >
        <SelectField
          label={DEVELOPERS.explainBy}
          value={by}
          options={IDENTIFIERS.map((each) => [each, DEVELOPERS.IDENTIFIERS[each]] as const)}
          onChange={setBy}
        />
        <TextField label={DEVELOPERS.explainValue} isRequired value={typed} onInput={setTyped} />
        <button type="submit" class="primary">
          {DEVELOPERS.explain}
        </button>
      </form>
      {about && <Explanation key={JSON.stringify(about)} about={about} />}
    </Card>
  );
}

function aboutOf(by: Identifier, value: string): About {
  switch (by) {
    case 'email':
      return { email: value };
    case 'uid':
      return { uid: value };
    case 'id':
      return { id: value };
    case 'gr_id':
      return { gr_id: value };
    case 'code':
      return { code: value };
    case 'payment_id':
      return { payment_id: value };
  }
}
