import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog, SelectField, TextField } from '../../kit/controls.tsx';
import { formatDateAndTime } from '../../kit/format.ts';
import { useWrite } from '../../kit/forms.tsx';
import { Offline, Problem, refresh, Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { COMMON } from '../../words/common.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { Form, FormDialog, MoneyFields, readMoney } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { readRules } from '../service.ts';
import { Entries } from './entries.tsx';
import { endOf, Person, type ReferralDetails, rateOf, STATES, type State, StateBadge } from './list.tsx';

export function Drawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { api } = useDashboard();
  const [loaded, reload] = useLoaded(
    async (signal) => {
      const body = { id };
      const { data } = (await api.send('post', '/v2/referrals/lookup', { body, signal, isRepeatable: true })).body;
      return { referral: data, rules: await readRules(data.attributes.commission_rules_id, signal) };
    },
    [id],
  );
  return (
    <Dialog title={REFERRALS.referral} onClose={onClose} shape="drawer">
      {/* Nobody can use the retry of the page below an open dialog. */}
      {loaded.kind === 'failed' && <Offline api={api} />}
      <WhenReady loaded={loaded} onRetry={reload} skeleton={<Skeleton lines={9} height={2.5} />}>
        {({ referral, rules }) => <Content referral={referral} rules={rules} />}
      </WhenReady>
    </Dialog>
  );
}

interface ContentProps {
  readonly referral: ReferralDetails;
  /** What its rules pay; `null` if it has none. */
  readonly rules: string | null;
}

function Content({ referral, rules }: ContentProps) {
  const { can } = useDashboard();
  const [isPaying, setPaying] = useState(false);
  const { state, email, uid } = referral.attributes;
  const canTrack = can('track');
  const isErased = state !== 'clicked' && email === null && uid === null;
  return (
    <div class="drawer-content">
      <Details referral={referral} rules={rules} />
      {canTrack ? <Changes referral={referral} /> : <p class="soft">{REFERRALS.notAllowed('track')}</p>}
      <Entries referral={referral} onPay={canTrack && state !== 'clicked' ? () => setPaying(true) : undefined} />
      <History referral={referral} />
      {canTrack && !isErased && <Erasure referral={referral} />}
      {isPaying && (
        <RecordPayment
          id={referral.id}
          onClose={() => setPaying(false)}
          onRecorded={() => {
            setPaying(false);
            refresh();
          }}
        />
      )}
    </div>
  );
}

function Details({ referral: { id, attributes }, rules }: ContentProps) {
  const facts = [
    [COMMON.advocate, attributes.affiliate_slug],
    [COMMON.yourId, attributes.uid ?? '–'],
    [COMMON.subId, attributes.sub_id ?? '–'],
    [COMMON.created, formatDateAndTime(attributes.created_at)],
    [REFERRALS.changed, formatDateAndTime(attributes.state_set_at)],
    [COMMON.rate, rules ?? rateOf(attributes.commission_percentage)],
    // Rules say themselves how long the referral earns.
    [COMMON.earnsUntil, rules === null ? endOf(attributes) : '–'],
    [REFERRALS.referralId, id],
  ];
  const fields = Object.entries(attributes.metadata);
  return (
    <>
      <p class="person">
        <Person {...attributes} /> <StateBadge state={attributes.state} />
      </p>
      {attributes.flags.includes('self_referral') && <p class="flag">{REFERRALS.flaggedAdvice}</p>}
      <Facts facts={facts} />
      {fields.length > 0 && (
        <section>
          <h3>{REFERRALS.metadata}</h3>
          <Facts facts={fields.map(([name, value]) => [name, String(value)])} />
        </section>
      )}
    </>
  );
}

function Facts({ facts }: { readonly facts: readonly (readonly string[])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name = '', value]) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Entry = ReferralDetails['attributes']['history'][number];

function History({ referral }: { readonly referral: ReferralDetails }) {
  return (
    <section>
      <h3>{REFERRALS.history}</h3>
      <ol class="history" reversed>
        {referral.attributes.history.toReversed().map((entry, index) => (
          <li key={index}>
            <bdi>{describe(entry)}</bdi>{' '}
            <span class="soft">
              {REFERRALS.by(entry.by)} · {formatDateAndTime(entry.set_at)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function describe(entry: Entry): string {
  switch (entry.type) {
    case 'state':
      return REFERRALS.historyOf.state(entry.state);
    case 'reassignment':
      return REFERRALS.historyOf.reassignment(entry.from, entry.to);
    case 'erasure':
      return REFERRALS.historyOf.erasure;
  }
}

/** Erases the person, after a word was typed. */
function Erasure({ referral: { id } }: { readonly referral: ReferralDetails }) {
  const { api } = useDashboard();
  const [word, setWord] = useState('');
  async function erase(): Promise<void> {
    await api.send('post', '/v2/tracking/erase', { body: { id }, isRepeatable: true });
    refresh();
  }
  return (
    <section>
      <h3>{REFERRALS.eraseTitle}</h3>
      <Form onSave={erase} save={COMMON.erase} isDanger>
        <p class="soft">{REFERRALS.eraseAdvice}</p>
        <TextField label={COMMON.typeErase} value={word} onInput={setWord} isRequired pattern="\s*erase\s*" />
      </Form>
    </section>
  );
}

interface RecordPaymentProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onRecorded: () => void;
}

/** Records what a customer paid. The id of the payment makes a retry safe. */
function RecordPayment({ id, onClose, onRecorded }: RecordPaymentProps) {
  const { api } = useDashboard();
  const [paymentId, setPaymentId] = useState('');
  const [typed, setTyped] = useState({ amount: '', currency: 'usd' });
  async function save(): Promise<void> {
    const body = { id, payment_id: paymentId.trim(), ...readMoney(typed) };
    await api.send('post', '/v2/payments', { body, isRepeatable: true });
    onRecorded();
  }
  return (
    <FormDialog title={REFERRALS.recordPayment} onClose={onClose} onSave={save}>
      <TextField
        label={REFERRALS.paymentId}
        hint={REFERRALS.paymentIdHint}
        isRequired
        value={paymentId}
        onInput={setPaymentId}
      />
      <MoneyFields typed={typed} onInput={setTyped} amountHint={REFERRALS.amountHint} inputMode="decimal" />
    </FormDialog>
  );
}

interface ReferralProps {
  readonly referral: ReferralDetails;
}

/** Sets the state, and moves the referral to another advocate. The API says why it refuses a change. */
function Changes({ referral }: ReferralProps) {
  return (
    <section>
      <h3>{REFERRALS.changes}</h3>
      <div class="change-forms">
        <SetState referral={referral} />
        <Move referral={referral} />
      </div>
    </section>
  );
}

function SetState({ referral: { id, attributes } }: ReferralProps) {
  const { api } = useDashboard();
  const others = STATES.filter((state) => state !== attributes.state);
  const [chosen, setChosen] = useState<State>();
  const state = others.find((other) => other === chosen) ?? others[0];
  async function save(): Promise<void> {
    if (!state) return;
    await api.send('post', '/v2/tracking/state', { body: { id, state }, isRepeatable: true });
    refresh();
  }
  return (
    <RowForm name={REFERRALS.setState} onSave={save}>
      {state && <SelectField label={REFERRALS.newState} value={state} options={others} onChange={setChosen} />}
    </RowForm>
  );
}

function Move({ referral: { id } }: ReferralProps) {
  const { api } = useDashboard();
  const [slug, setSlug] = useState('');
  async function save(): Promise<void> {
    const body = { id, affiliate_slug: slug.trim() };
    await api.send('post', '/v2/tracking/reassign', { body, isRepeatable: true });
    setSlug('');
    refresh();
  }
  return (
    <RowForm name={REFERRALS.move} onSave={save}>
      <TextField label={REFERRALS.newAdvocate} isRequired value={slug} onInput={setSlug} />
    </RowForm>
  );
}

interface RowFormProps {
  readonly name: string;
  readonly onSave: () => Promise<void>;
  readonly children: ComponentChildren;
}

function RowForm({ name, onSave, children }: RowFormProps) {
  const { error, run, isSending } = useWrite(onSave);
  return (
    <form
      class="row-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {children}
      <button type="submit" aria-disabled={isSending}>
        {name}
      </button>
      {error && <Problem error={error} />}
    </form>
  );
}
