import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { samplesOf } from '../../kit/samples.ts';
import { Store, useStore } from '../../kit/store.ts';
import { Tabs } from '../../kit/tabs.tsx';
import { tell, tried } from '../../kit/toast.tsx';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { reloadProgram, useDashboard } from '../router.ts';
import { api } from '../service.ts';
import type { Reference } from './reference.ts';
import { baseUrl, CUSTOMER, pageCode } from './script-code.ts';
import { useServerToken } from './server-token.tsx';

/** Code to read and copy. */
export function Code({ text, copy = DEVELOPERS.copyCode }: { readonly text: string; readonly copy?: string }) {
  return (
    <div class="code">
      <pre class="snippet">{text}</pre>
      <CopyButton text={text} label={copy} />
    </div>
  );
}

const STRIPE = DEVELOPERS.SECTIONS.stripe;
const LANGUAGES = ['JavaScript', 'Python', 'PHP', 'Ruby', 'curl'] as const;

/** The language that a person chose last holds for all samples; until then, the first one. */
const language = new Store('');

type SampleEvent = { readonly signUp: Reference } | { readonly payment: { readonly currency: string } };

interface ServerCodeProps {
  /** The sign-up or the payment of the samples' customer. */
  readonly event: SampleEvent;
  /** What stands above each program. */
  readonly advice?: string;
  /** The first tab, for payments that Stripe reports. */
  readonly stripe?: ComponentChildren;
}

/** A program in each language that reports something with the address of this service. It runs as it is. */
export function ServerCode({ event, advice, stripe }: ServerCodeProps) {
  const selected = useStore(language);
  const [isStripe, setStripe] = useState(stripe !== undefined);
  const { token, button } = useServerToken();
  const samples = samplesOf(requestOf(event, token));
  const tabs = LANGUAGES.map((each) =>
    tabOf(each, () => (
      <>
        {advice && <p>{advice}</p>}
        {button}
        <Code text={samples[each]} />
      </>
    )),
  );
  return (
    <Tabs
      label={DEVELOPERS.language}
      tabs={[
        ...(stripe ? [tabOf(STRIPE, () => stripe)] : []),
        ...tabs,
        ...('signUp' in event ? [tabOf(DEVELOPERS.withoutServer, () => <PageCode />)] : []),
      ]}
      selected={isStripe ? STRIPE : selected}
      onSelect={(id) => {
        setStripe(id === STRIPE);
        if (id !== STRIPE) language.set(id);
      }}
    />
  );
}

const tabOf = (label: string, content: () => ComponentChildren) => ({ id: label.replaceAll(' ', '-'), label, content });

const requestOf = (event: SampleEvent, token: string) => ({
  method: 'POST',
  url: `${baseUrl()}${'signUp' in event ? '/v2/tracking/conversion' : '/v2/payments'}`,
  headers: { Authorization: `Bearer ${token || 'PROGRAM_TOKEN'}`, 'Content-Type': 'application/json' },
  body:
    'signUp' in event
      ? { ...event.signUp, ...CUSTOMER }
      : { uid: CUSTOMER.uid, payment_id: 'payment-1', amount: 5000, currency: event.payment.currency },
});

/** Code of a page, which needs no token, but an origin that the program allows. */
function PageCode() {
  const { program, can } = useDashboard();
  const [isAllowed, setAllowed] = useState(false);
  if (!program) return null;
  const { allowed_origins: origins, site_url, public_key } = program.attributes;
  const { origin } = new URL(site_url);
  const allow = () =>
    tried(async () => {
      await api.send('patch', '/v2/program', { body: { allowed_origins: [...origins, origin] } });
      setAllowed(true);
      reloadProgram();
      tell(DEVELOPERS.originAllowed(origin));
    });
  return (
    <>
      <p class="soft">{DEVELOPERS.withoutServerAdvice}</p>
      {!origins.includes(origin) && !isAllowed && (
        <div class="status-line">
          <p>{DEVELOPERS.originMissing(origin)}</p>
          {can('admin') && <Button label={DEVELOPERS.allowOrigin(origin)} onClick={() => void allow()} />}
        </div>
      )}
      <Code text={pageCode(public_key)} />
    </>
  );
}
