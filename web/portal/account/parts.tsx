import { useState } from 'preact/hooks';
import { TextField } from '../../kit/fields.tsx';
import { CheckField } from '../../kit/forms.tsx';
import * as WORDS from '../../words/portal/account.ts';
import { type AccountProps, Part } from './part.tsx';

export function Names({ about, ...props }: AccountProps) {
  const [first, setFirst] = useState(about.first_name ?? '');
  const [last, setLast] = useState(about.last_name ?? '');
  return (
    <Part
      {...props}
      title={WORDS.name}
      save={WORDS.saveName}
      fields={{ first_name: WORDS.firstName, last_name: WORDS.lastName }}
      change={() => ({ first_name: first.trim() || null, last_name: last.trim() || null })}
    >
      {(faults) => (
        <>
          <TextField
            label={WORDS.firstName}
            autocomplete="given-name"
            value={first}
            fault={faults.get('first_name')}
            onInput={setFirst}
          />
          <TextField
            label={WORDS.lastName}
            autocomplete="family-name"
            value={last}
            fault={faults.get('last_name')}
            onInput={setLast}
          />
        </>
      )}
    </Part>
  );
}

const CHOICES = ['paying', 'settled'] as const;

export function Emails({ about, ...props }: AccountProps) {
  const [off, setOff] = useState(about.emails_off);
  return (
    <Part {...props} title={WORDS.emails} save={WORDS.saveEmails} change={() => ({ emails_off: off })}>
      {() => (
        <>
          {CHOICES.map((choice) => (
            <CheckField
              key={choice}
              label={WORDS.emailChoices[choice]}
              isChecked={!off.includes(choice)}
              onChange={(isOn) => setOff([...off.filter((each) => each !== choice), ...(isOn ? [] : [choice])])}
            />
          ))}
          <p class="hint">{WORDS.emailsHint}</p>
        </>
      )}
    </Part>
  );
}
