import { readyOf, refresh, useLoaded } from '../../kit/loaded.ts';
import { Problem, Waiting } from '../../kit/messages.tsx';
import { ViewHeading } from '../../kit/shell.tsx';
import { Skeleton } from '../../kit/when-ready.tsx';
import * as WORDS from '../../words/portal/apply.ts';
import { api } from '../service.ts';
import { ApplicationForm } from './application-form.tsx';
import { readForm } from './form.ts';

/** The form in a page of another site. Advocates sign in in a window of their own, which nobody frames. */
export function FramedForm({ pk }: { readonly pk: string }) {
  const [loaded] = useLoaded((signal) => readForm(pk, signal), [pk]);
  const form = readyOf(loaded)?.value;
  const error = loaded.kind === 'failed' ? loaded.error : undefined;
  const title = WORDS.heading(form?.program_name);
  return (
    <div class="page">
      <main class="card">
        <ViewHeading title={title} page={title} takesFocus={false} />
        {form && <ApplicationForm pk={pk} form={form} />}
        {!form && error?.code === 'applications_closed' && <p class="soft">{error.message}</p>}
        {!form && error && error.code !== 'applications_closed' && <Problem error={error} onRetry={refresh} />}
        {!form && !error && <Skeleton lines={4} height={2.25} />}
        {form && (
          <a href={`account#program=${pk}`} target="_blank" rel="noopener noreferrer">
            {WORDS.signIn}
          </a>
        )}
      </main>
      <Waiting api={api} />
    </div>
  );
}
