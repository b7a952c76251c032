import { useState } from 'preact/hooks';
import type { ResponseBody } from '../../kit/api.ts';
import { applicantName } from '../../kit/applicant.ts';
import { Button } from '../../kit/button.tsx';
import type { EmailLink } from '../../kit/email-links.ts';
import { useWrite } from '../../kit/forms.tsx';
import { readyOf, refresh, useLoaded } from '../../kit/loaded.ts';
import { Alert, Problem } from '../../kit/messages.tsx';
import { EmailForm, type SignInPage } from '../../kit/sign-in.tsx';
import { Skeleton } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as ACCOUNT from '../../words/portal/account.ts';
import * as WORDS from '../../words/portal/apply.ts';
import * as SIGN_IN from '../../words/sign-in.ts';
import { takeFocus } from '../apply/application-form.tsx';
import { api } from '../service.ts';
import { Terms } from '../terms.tsx';

type Sent = ResponseBody<'/v2/applications/lookup', 'post'>['data']['attributes'];

export interface LinkProps {
  readonly page: SignInPage;
  readonly link: EmailLink;
  /** Opens the form, unless somebody has signed in. */
  readonly onApply?: () => void;
}

/** The application of a link, as it was sent. Only a press of the button confirms it. */
export function Confirm({ page, link, onApply }: LinkProps) {
  const request = { body: { code: link.code }, token: '', isRepeatable: true };
  const [confirmed, setConfirmed] = useState<Sent>();
  const [looked] = useLoaded(
    async (signal) => (await api.send('post', '/v2/applications/lookup', { ...request, signal })).body.data.attributes,
    [],
  );
  const { error, isSending, run } = useWrite(async () => {
    setConfirmed((await api.send('post', '/v2/applications/confirm', request)).body.data.attributes);
    page.links.remember();
  });
  const failure = looked.kind === 'failed' ? looked.error : undefined;
  const sent = confirmed ?? readyOf(looked)?.value;
  if (error?.code === 'invalid_link' || (!sent && failure?.code === 'invalid_link')) {
    return (
      <div class="form">
        <Alert title={SIGN_IN.linkEnded}>
          <p>{WORDS.endedAdvice}</p>
        </Alert>
        {onApply && <Button label={WORDS.again} onClick={onApply} />}
        <EmailForm page={page} />
      </div>
    );
  }
  if (!sent) return failure ? <Problem error={failure} onRetry={refresh} /> : <Skeleton lines={4} height={2.25} />;
  const { state, email, answers, program } = sent;
  return (
    <div class="form">
      {state === 'unconfirmed' ? (
        <p class="soft">{WORDS.confirmAdvice}</p>
      ) : (
        <p class="sent" role="status" tabIndex={-1} {...(confirmed && { ref: takeFocus })}>
          {WORDS.states[state](program.name)}
        </p>
      )}
      {state === 'approved' && <EmailForm page={page} known={email} />}
      <Terms
        terms={[
          [ACCOUNT.name, applicantName(sent) || COMMON.noAmount],
          [COMMON.email, email],
          ...answers.map(({ label, answer }) => [label, answer] as const),
        ]}
      />
      {error && <Problem error={error} />}
      {state === 'unconfirmed' && (
        <Button label={WORDS.confirm} kind="primary" aria-disabled={isSending} onClick={() => void run()} />
      )}
    </div>
  );
}
