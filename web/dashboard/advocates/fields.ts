import { ApiError } from '../../kit/api-error.ts';
import { ADVOCATES } from '../../words/dashboard-advocates.ts';
import type { Advocate } from './advocate.ts';

/** What the dialog edits, as typed. */
export interface Typed {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly slug: string;
  readonly uid: string;
  readonly commission_percentage: string;
}

export function typedOf(advocate: Advocate | undefined): Typed {
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
export function newFields(typed: Typed) {
  const { email, first_name, last_name, slug, uid } = typed;
  const rate = rateOf(typed);
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
export function changedFields(before: Typed, typed: Typed) {
  const isChanged = (field: keyof Typed) => typed[field].trim() !== before[field];
  const text = (field: 'first_name' | 'last_name' | 'uid') => typed[field].trim() || null;
  return {
    ...(isChanged('email') && { email: typed.email.trim() }),
    ...(isChanged('first_name') && { first_name: text('first_name') }),
    ...(isChanged('last_name') && { last_name: text('last_name') }),
    ...(isChanged('uid') && { uid: text('uid') }),
    ...(isChanged('commission_percentage') && { commission_percentage: rateOf(typed) }),
  };
}

function rateOf({ commission_percentage }: Typed): number | null {
  const text = commission_percentage.trim().replace(/\s*%$/, '');
  if (text === '') return null;
  const rate = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(rate <= 100)) throw new ApiError(ADVOCATES.wrongCommission, -1);
  return rate;
}
