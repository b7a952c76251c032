import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { TextField } from '../../kit/fields.tsx';
import { parsePercentage } from '../../kit/format.ts';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { FormDialog, isUnanswered } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import type { Advocate } from './actions.ts';
import { ChooseGroup } from './groups.tsx';

interface AdvocateDialogProps {
  /** `undefined` creates one. */
  readonly advocate: Advocate | undefined;
  readonly onClose: () => void;
  /** Called with the advocate as it is now. */
  readonly onSaved: (advocate: Schemas['Advocate'] | Advocate) => void;
}

export function AdvocateDialog({ advocate, onClose, onSaved }: AdvocateDialogProps) {
  const { can } = useDashboard();
  const [before] = useState(() => typedOf(advocate));
  const [typed, setTyped] = useState(before);
  const [isLost, setLost] = useState(false);
  const field = (name: keyof Typed) => ({
    value: typed[name] ?? '',
    onInput: (value: string) => setTyped((last) => ({ ...last, [name]: value })),
  });
  async function create(): Promise<Schemas['Advocate'] | Advocate> {
    const body = newFields(typed);
    // The response of an earlier attempt was lost. Another request would create a second advocate.
    const created = isLost ? await findCreated(body) : undefined;
    if (created) return created;
    try {
      return (await api.send('post', '/v2/advocates', { body })).body.data;
    } catch (error) {
      setLost(isUnanswered(error));
      throw error;
    }
  }
  async function change({ attributes: { slug } }: Advocate): Promise<Schemas['Advocate']> {
    const params = { slug };
    const body = changedFields(before, typed);
    if (Object.keys(body).length === 0) return (await api.send('get', '/v2/advocates/{slug}', { params })).body.data;
    return (await api.send('patch', '/v2/advocates/{slug}', { params, body })).body.data;
  }
  const save = async () => onSaved(await (advocate ? change(advocate) : create()));
  return (
    <FormDialog title={COMMON.advocate} onClose={onClose} onSave={save}>
      <TextField label={COMMON.email} isRequired {...field('email')} />
      <TextField label={ADVOCATES.firstName} {...field('first_name')} />
      <TextField label={ADVOCATES.lastName} {...field('last_name')} />
      {!advocate && <TextField label={ADVOCATES.linkName} hint={ADVOCATES.linkNameHint} {...field('slug')} />}
      {can('admin') && <ChooseGroup value={field('group').value} onChange={field('group').onInput} />}
      <TextField
        label={ADVOCATES.commission}
        hint={ADVOCATES.commissionHint}
        inputMode="decimal"
        {...field('commission_percentage')}
      />
      <TextField label={ADVOCATES.company} {...field('company')} />
      <TextField label={COMMON.yourId} {...field('uid')} />
    </FormDialog>
  );
}

/** Finds the advocate of an earlier attempt: all that was typed is the same. */
async function findCreated(fields: NewFields): Promise<Advocate | undefined> {
  const query = { email_eq: fields.email, per_page: 50 };
  const { data } = (await api.send('get', '/v2/advocates', { query })).body;
  const { first_name, last_name, uid, slug } = fields;
  return data.find(
    ({ attributes }) =>
      attributes.first_name === first_name &&
      attributes.last_name === last_name &&
      attributes.uid === uid &&
      (!slug || attributes.slug === slug.toLowerCase()),
  );
}

const FIELDS = [
  'email',
  'first_name',
  'last_name',
  'slug',
  'uid',
  'company',
  'group',
  'commission_percentage',
] as const;
type Field = (typeof FIELDS)[number];
type Fields<Value> = Readonly<Partial<Record<Field, Value>>>;
type Typed = Fields<string>;

const typedOf = (advocate: Advocate | undefined): Typed => fieldsOf((name) => String(advocate?.attributes[name] ?? ''));

const fieldsOf = <Value,>(read: (name: Field) => Value): Fields<Value> =>
  Object.fromEntries(FIELDS.map((name) => [name, read(name)]));

/** Returns the fields of a new advocate: `null` counts as absent. Throws a sentence to show. */
export function newFields(typed: Typed) {
  const texts = fieldsOf((name) => typed[name]?.trim() || null);
  return { ...texts, email: texts.email ?? '', commission_percentage: readRate(texts.commission_percentage ?? '') };
}

type NewFields = ReturnType<typeof newFields>;

/** Returns only the fields that were changed, so that nobody else's change is undone. */
function changedFields(before: Typed, typed: Typed): Schemas['AdvocateChanges'] {
  const fields = newFields(typed);
  return Object.fromEntries(
    FIELDS.flatMap((name) => (typed[name]?.trim() === before[name] ? [] : [[name, fields[name]] as const])),
  );
}

/** Reads a typed rate; `null` for an empty one. Throws a sentence to show. */
function readRate(typed: string): number | null {
  if (typed === '') return null;
  const rate = parsePercentage(typed);
  if (rate === undefined) throw new ApiError(ADVOCATES.wrongCommission, -1);
  return rate;
}
