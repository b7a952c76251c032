import { useState } from 'preact/hooks';
import type { Api } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { Dialog, TextField } from '../../kit/controls.tsx';
import { COMMON } from '../../words/common.ts';
import { ADVOCATES } from '../../words/dashboard.ts';
import { Form, isUnanswered } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import type { Advocate } from './advocate-table.tsx';

interface AdvocateDialogProps {
  /** `undefined` creates one. */
  readonly advocate: Advocate | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export function AdvocateDialog({ advocate, onClose, onSaved }: AdvocateDialogProps) {
  const { api } = useDashboard();
  const [before] = useState(() => typedOf(advocate));
  const [typed, setTyped] = useState(before);
  const [isLost, setLost] = useState(false);
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onInput: (value: string) => setTyped((last) => ({ ...last, [name]: value })),
  });
  async function create(): Promise<void> {
    const body = newFields(typed);
    // The response of an earlier attempt was lost. Another request would create a second advocate.
    if (isLost && (await isCreated(api, body))) return;
    try {
      await api.send('post', '/v2/advocates', { body });
    } catch (error) {
      setLost(isUnanswered(error));
      throw error;
    }
  }
  async function save(): Promise<void> {
    if (advocate) {
      const body = changedFields(before, typed);
      const params = { slug: advocate.attributes.slug };
      if (Object.keys(body).length > 0) await api.send('patch', '/v2/advocates/{slug}', { params, body });
    } else await create();
    onSaved();
  }
  return (
    <Dialog title={COMMON.advocate} onClose={onClose}>
      <Form onSave={save}>
        <TextField label={COMMON.email} isRequired {...field('email')} />
        <TextField label={ADVOCATES.firstName} {...field('first_name')} />
        <TextField label={ADVOCATES.lastName} {...field('last_name')} />
        {advocate ? (
          <p class="soft">
            {ADVOCATES.slug}: <bdi>{advocate.attributes.slug}</bdi>
          </p>
        ) : (
          <TextField label={ADVOCATES.slug} hint={ADVOCATES.slugHint} {...field('slug')} />
        )}
        <TextField label={COMMON.yourId} hint={ADVOCATES.yourIdHint} {...field('uid')} />
        <TextField
          label={ADVOCATES.commission}
          hint={ADVOCATES.commissionHint}
          inputMode="decimal"
          {...field('commission_percentage')}
        />
      </Form>
      {advocate && <Erase slug={advocate.attributes.slug} onErased={onSaved} />}
    </Dialog>
  );
}

async function isCreated(api: Api, fields: ReturnType<typeof newFields>): Promise<boolean> {
  const query = { email_eq: fields.email, per_page: 50 };
  const { data } = (await api.send('get', '/v2/advocates', { query })).body;
  const { first_name = null, last_name = null, uid = null, slug } = fields;
  return data.some(
    ({ attributes }) =>
      attributes.first_name === first_name &&
      attributes.last_name === last_name &&
      attributes.uid === uid &&
      (slug === undefined || attributes.slug === slug.toLowerCase()),
  );
}

function Erase({ slug, onErased }: { readonly slug: string; readonly onErased: () => void }) {
  const { api } = useDashboard();
  const [typed, setTyped] = useState('');
  async function erase(): Promise<void> {
    if (typed.trim().toLowerCase() !== 'erase') throw new ApiError(ADVOCATES.notTyped, -1);
    await api.send('post', '/v2/advocates/{slug}/erase', { params: { slug }, isRepeatable: true });
    onErased();
  }
  return (
    <section class="erase">
      <h3>{ADVOCATES.eraseTitle}</h3>
      <p class="soft">{ADVOCATES.eraseAdvice}</p>
      <Form onSave={erase} save={COMMON.erase} isDanger>
        <TextField label={COMMON.typeErase} value={typed} onInput={setTyped} />
      </Form>
    </section>
  );
}

interface Typed {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly slug: string;
  readonly uid: string;
  readonly commission_percentage: string;
}

function typedOf(advocate: Advocate | undefined): Typed {
  const { email, first_name, last_name, slug, uid, commission_percentage } = { ...advocate?.attributes };
  return {
    email: email ?? '',
    first_name: first_name ?? '',
    last_name: last_name ?? '',
    slug: slug ?? '',
    uid: uid ?? '',
    commission_percentage: commission_percentage == null ? '' : String(commission_percentage),
  };
}

/** Returns the fields of a new advocate. Empty fields are left out. */
function newFields(typed: Typed) {
  const { email, first_name, last_name, slug, uid } = typed;
  const rate = readRate(typed.commission_percentage);
  return {
    email: email.trim(),
    ...(first_name.trim() && { first_name: first_name.trim() }),
    ...(last_name.trim() && { last_name: last_name.trim() }),
    ...(slug.trim() && { slug: slug.trim() }),
    ...(uid.trim() && { uid: uid.trim() }),
    ...(rate !== null && { commission_percentage: rate }),
  };
}

/** Returns only the fields that were changed, so that nobody else's change is undone. */
function changedFields(before: Typed, typed: Typed) {
  const isChanged = (field: keyof Typed) => typed[field].trim() !== before[field];
  const text = (field: 'first_name' | 'last_name' | 'uid') => typed[field].trim() || null;
  return {
    ...(isChanged('email') && { email: typed.email.trim() }),
    ...(isChanged('first_name') && { first_name: text('first_name') }),
    ...(isChanged('last_name') && { last_name: text('last_name') }),
    ...(isChanged('uid') && { uid: text('uid') }),
    ...(isChanged('commission_percentage') && { commission_percentage: readRate(typed.commission_percentage) }),
  };
}

/** Reads a typed rate; `null` for an empty one. Throws a sentence to show. */
export function readRate(typed: string): number | null {
  const text = typed.trim().replace(/\s*%$/, '');
  if (text === '') return null;
  const rate = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(rate <= 100)) throw new ApiError(ADVOCATES.wrongCommission, -1);
  return rate;
}
