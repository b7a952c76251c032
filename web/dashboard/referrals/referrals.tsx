import { useState } from 'preact/hooks';
import type { Api, RequestBody, Schemas } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { Button, Empty, TextField } from '../../kit/controls.tsx';
import { refresh, Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { useSettled } from '../../kit/store.ts';
import { Table } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { Drawer } from './drawer.tsx';
import { columnsOf, FilterBar, List, parseFilters, type ReferralFilters, toFilters } from './list.tsx';

export function Referrals() {
  const { filters: inAddress, navigate, can } = useDashboard();
  const filters = parseFilters(inAddress);
  const [typed, setTyped] = useState('');
  const [isAdding, setAdding] = useState(false);
  const text = useSettled(typed.trim());
  const change = (changes: Partial<ReferralFilters>) => navigate('referrals', toFilters({ ...filters, ...changes }));
  const open = (id: string) => change({ id });
  return (
    <>
      <section class="card" aria-label={REFERRALS.title}>
        <div class="card-head">
          <FilterBar filters={filters} onChange={change} typed={typed} onType={setTyped} />
          {can('track') && <Button label={REFERRALS.add} kind="primary" onClick={() => setAdding(true)} />}
        </div>
        {text === '' ? (
          <List filters={filters} onChange={change} onOpen={open} />
        ) : (
          <Results text={text} onOpen={open} onClear={() => setTyped('')} />
        )}
      </section>
      {isAdding && (
        <NewReferral
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            setAdding(false);
            open(id);
          }}
        />
      )}
      {filters.id !== undefined && (
        <Drawer key={filters.id} id={filters.id} onClose={() => change({ id: undefined })} />
      )}
    </>
  );
}

interface ResultsProps {
  readonly text: string;
  readonly onOpen: (id: string) => void;
  readonly onClear: () => void;
}

function Results({ text, onOpen, onClear }: ResultsProps) {
  const { api } = useDashboard();
  const [found, reload] = useLoaded((signal) => findReferrals(api, text, signal), [text]);
  return (
    <WhenReady loaded={found} onRetry={reload} skeleton={<Skeleton lines={2} height={2} />}>
      {(rows) => (
        <Table
          name={REFERRALS.title}
          columns={columnsOf(onOpen)}
          rows={rows}
          keyOf={({ id }) => id}
          empty={
            <Empty undo={COMMON.showAll} onUndo={onClear}>
              {REFERRALS.noResult}
            </Empty>
          }
        />
      )}
    </WhenReady>
  );
}

type Lookup = RequestBody<'/v2/referrals/lookup', 'post'>;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns what a text can be: an email, a referral's id, or the merchant's own id, which has no form. */
function lookupsOf(text: string): Lookup[] {
  return [
    ...(text.includes('@') ? [{ email: text }] : []),
    ...(UUID.test(text) ? [{ id: text.toLowerCase() }] : []),
    { uid: text },
  ];
}

/** Finds the referrals of a text, each kind that it can be in parallel. */
async function findReferrals(api: Api, text: string, signal: AbortSignal): Promise<Schemas['Referral'][]> {
  const found = await Promise.all(lookupsOf(text).map((body) => look(api, body, signal)));
  const byId = new Map(found.flatMap((each) => (each ? [[each.id, each] as const] : [])));
  return [...byId.values()];
}

/** No referral, and a text that cannot be of this kind, are no results. */
async function look(api: Api, body: Lookup, signal: AbortSignal) {
  try {
    return (await api.send('post', '/v2/referrals/lookup', { body, signal, isRepeatable: true })).body.data;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

/** Adds a referral by hand. A retry after a lost response returns the same referral. */
function NewReferral({ onClose, onAdded }: { readonly onClose: () => void; readonly onAdded: (id: string) => void }) {
  const { api, filters } = useDashboard();
  const [idempotencyKey] = useState(newId);
  const [advocate, setAdvocate] = useState(filters['advocate'] ?? '');
  const [email, setEmail] = useState('');
  const [uid, setUid] = useState('');
  async function save(): Promise<void> {
    const [someEmail, someUid] = [email.trim(), uid.trim()];
    const customer = someEmail ? { email: someEmail, ...(someUid && { uid: someUid }) } : { uid: someUid };
    const body = { affiliate_slug: advocate.trim(), ...customer };
    const added = await api.send('post', '/v2/tracking/conversion', { body, idempotencyKey });
    refresh();
    onAdded(added.body.data.id);
  }
  return (
    <FormDialog title={REFERRALS.newReferral} onClose={onClose} onSave={save}>
      <TextField
        label={COMMON.advocate}
        hint={REFERRALS.advocateHint}
        isRequired
        value={advocate}
        onInput={setAdvocate}
      />
      <TextField label={COMMON.email} value={email} onInput={setEmail} />
      <TextField label={COMMON.yourId} hint={REFERRALS.emailOrId} value={uid} onInput={setUid} />
    </FormDialog>
  );
}

/** Returns a random id for a write, such as its `Idempotency-Key`. Unlike `randomUUID`, it also works over plain http. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
