import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { RequestBody } from '../../kit/api.ts';
import type { ApiError } from '../../kit/api-error.ts';
import { faultOf, useWrite } from '../../kit/forms.tsx';
import { Alert, Problem } from '../../kit/messages.tsx';
import { EmailForm, type SignInPage } from '../../kit/sign-in.tsx';
import * as WORDS from '../../words/portal/account.ts';
import { type Affiliate, api } from '../service.ts';

export interface AccountProps {
  readonly about: Affiliate;
  readonly page: SignInPage;
  readonly onChanged: (about: Affiliate) => void;
}

interface PartProps extends Omit<AccountProps, 'about'> {
  readonly title: string;
  /** The name of the button. */
  readonly save: string;
  /** The labels of the fields that the API may refuse, by their names in the API. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly change: () => RequestBody<'/v2/affiliate', 'patch'>;
  readonly children: (faults: ReadonlyMap<string, string>) => ComponentChildren;
}

/** A form for a part of the account. What the API refuses stands beside the field. */
export function Part({ title, save, fields = {}, change, onChanged, page, children }: PartProps) {
  const id = useId();
  const [isSaved, setSaved] = useState(false);
  const { error, isSending, submit } = useWrite(async () => {
    setSaved(false);
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
    <div class="card">
      <form class="form" aria-labelledby={id} onInput={() => setSaved(false)} onSubmit={submit}>
        <h2 id={id}>{title}</h2>
        {children(faults)}
        {error && faults.size === 0 && !needsSignIn(error) && <Problem error={error} />}
        <div class="buttons">
          <button type="submit" aria-disabled={isSending}>
            {save}
          </button>
          <p role="status" class="soft">
            {isSaved && WORDS.saved}
          </p>
        </div>
      </form>
      {error && needsSignIn(error) && (
        <Alert title={WORDS.signInAgain} tone="notice">
          <p>{WORDS.signInAgainAdvice}</p>
          <EmailForm page={page} />
        </Alert>
      )}
    </div>
  );
}

const needsSignIn = ({ code }: ApiError) => code === 'sign_in_too_old' || code === 'sign_in_required';
