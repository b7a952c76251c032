import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { RequestBody } from '../kit/api.ts';
import type { ApiError } from '../kit/api-error.ts';
import { Card, SelectField, TextField } from '../kit/controls.tsx';
import { formatMoment } from '../kit/format.ts';
import { CheckField, faultOf, useWrite } from '../kit/forms.tsx';
import { EmailForm, type SignInPage } from '../kit/sign-in.tsx';
import { Alert, Problem } from '../kit/status.tsx';
import { ACCOUNT } from '../words/account.ts';
import { type Affiliate, api } from './service.ts';

type Changes = RequestBody<'/v2/affiliate', 'patch'>;

interface AccountProps {
  readonly about: Affiliate;
  readonly page: SignInPage;
  readonly onChanged: (about: Affiliate) => void;
}

/** What an advocate who signed in changes of itself. */
export function AccountCard(props: AccountProps) {
  return (
    <div id={ACCOUNT_ID} tabIndex={-1}>
      <Card title={ACCOUNT.title}>
        <div class="parts">
          <Names {...props} />
          <Emails {...props} />
          <Payout {...props} />
        </div>
      </Card>
    </div>
  );
}

const ACCOUNT_ID = 'account';

/** Shows the account, which is far below the numbers. */
export function goToAccount(): void {
  const element = document.getElementById(ACCOUNT_ID);
  element?.scrollIntoView();
  element?.focus({ preventScroll: true });
}

function Names({ about, ...props }: AccountProps) {
  const [first, setFirst] = useState(about.first_name ?? '');
  const [last, setLast] = useState(about.last_name ?? '');
  return (
    <Part
      {...props}
      title={ACCOUNT.name}
      save={ACCOUNT.saveName}
      fields={{ first_name: ACCOUNT.firstName, last_name: ACCOUNT.lastName }}
      change={() => ({ first_name: first.trim() || null, last_name: last.trim() || null })}
    >
      {(faults) => (
        <>
          <TextField
            label={ACCOUNT.firstName}
            autocomplete="given-name"
            value={first}
            fault={faults.get('first_name')}
            onInput={setFirst}
          />
          <TextField
            label={ACCOUNT.lastName}
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

function Emails({ about, ...props }: AccountProps) {
  const [off, setOff] = useState(about.emails_off);
  return (
    <Part {...props} title={ACCOUNT.emails} save={ACCOUNT.saveEmails} change={() => ({ emails_off: off })}>
      {() => (
        <>
          {CHOICES.map((choice) => (
            <CheckField
              key={choice}
              label={ACCOUNT.emailChoices[choice]}
              isChecked={!off.includes(choice)}
              onChange={(isOn) => setOff([...off.filter((each) => each !== choice), ...(isOn ? [] : [choice])])}
            />
          ))}
          <p class="hint">{ACCOUNT.emailsHint}</p>
        </>
      )}
    </Part>
  );
}

const METHODS = ['paypal', 'bank', 'other'] as const;

function Payout({ about, ...props }: AccountProps) {
  const [method, setMethod] = useState<'' | (typeof METHODS)[number]>(about.payout_method ?? '');
  const [typed, setTyped] = useState('');
  const pending = pendingUntil(about);
  const account = method === '' ? null : typed.trim();
  return (
    <Part
      {...props}
      title={ACCOUNT.payoutAccount}
      save={ACCOUNT.savePayoutAccount}
      fields={{ payout_account: method === '' ? ACCOUNT.payoutAccount : ACCOUNT.accountOf[method] }}
      change={() => ({ payout_method: method || null, payout_account: account })}
      onChanged={(changed) => {
        setTyped('');
        props.onChanged(changed);
      }}
    >
      {(faults) => (
        <>
          <p>{payoutAccountOf(about) ?? ACCOUNT.noAccount}</p>
          {pending !== undefined && <p class="box">{ACCOUNT.pending(formatMoment(pending))}</p>}
          <SelectField
            label={ACCOUNT.method}
            value={method}
            options={[['', ACCOUNT.noMethod], ...METHODS.map((each) => [each, ACCOUNT.methods[each]] as const)]}
            onChange={setMethod}
          />
          {method !== '' && (
            <TextField
              label={ACCOUNT.accountOf[method]}
              maxLength={254}
              isRequired
              value={typed}
              fault={faults.get('payout_account')}
              onInput={setTyped}
            />
          )}
        </>
      )}
    </Part>
  );
}

/** The payout account as its advocate sees it, such as `PayPal: j***@example.com`; `undefined` without one. */
export function payoutAccountOf({ payout_method: method, payout_account: account }: Affiliate): string | undefined {
  return method !== null && account !== null ? ACCOUNT.describe(ACCOUNT.methods[method], account) : undefined;
}

/** Until when nobody pays to the account, in Unix seconds; `undefined` if nothing is pending. */
export function pendingUntil({ payout_pending_until: until }: Affiliate): number | undefined {
  return until !== null && until * 1000 > Date.now() ? until : undefined;
}

interface PartProps extends Omit<AccountProps, 'about'> {
  readonly title: string;
  /** The name of the button. */
  readonly save: string;
  /** The labels of the fields that the API may refuse, by their names in the API. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly change: () => Changes;
  readonly children: (faults: ReadonlyMap<string, string>) => ComponentChildren;
}

/** A form for a part of the account. What the API refuses stands beside the field. */
function Part({ title, save, fields = {}, change, onChanged, page, children }: PartProps) {
  const id = useId();
  const [isSaved, setSaved] = useState(false);
  const { error, isSending, run } = useWrite(async () => {
    const { data } = (await api.send('patch', '/v2/affiliate', { body: change() })).body;
    onChanged(data.attributes);
    setSaved(true);
  });
  const faults = new Map(
    Object.entries(fields).flatMap(([name, label]) => {
      const fault = faultOf(error, name, label);
      return fault === undefined ? [] : [[name, fault] as const];
    }),
  );
  return (
    <div class="part">
      <form
        class="form"
        aria-labelledby={id}
        onInput={() => setSaved(false)}
        onSubmit={(event) => {
          event.preventDefault();
          setSaved(false);
          void run();
        }}
      >
        <h3 id={id}>{title}</h3>
        {children(faults)}
        {error && faults.size === 0 && !needsSignIn(error) && <Problem error={error} />}
        <div class="buttons">
          <button type="submit" aria-disabled={isSending}>
            {save}
          </button>
          <p role="status" class="soft">
            {isSaved && ACCOUNT.saved}
          </p>
        </div>
      </form>
      {error && needsSignIn(error) && (
        <Alert title={ACCOUNT.signInAgain} tone="notice">
          <p>{ACCOUNT.signInAgainAdvice}</p>
          <EmailForm page={page} />
        </Alert>
      )}
    </div>
  );
}

const needsSignIn = ({ code }: ApiError) => code === 'sign_in_too_old' || code === 'sign_in_required';
