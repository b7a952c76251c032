import { timingSafeEqual } from 'node:crypto';
import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { programIdOf, publicKeyOf } from '../../kernel/accounts/rules/program.ts';
import { SLUG_PATTERN } from '../../kernel/fields/fields.ts';
import type { Random } from '../../kernel/ids.ts';

/** Whose emails a link switches off. */
export interface Unsubscription {
  readonly program: string;
  readonly slug: string;
  readonly secret: string;
}

const SECRET_BYTES = 16;
const VALUE = new RegExp(`^([0-9a-f]{32})\\.(${SLUG_PATTERN})\\.([\\w-]{22})$`);

export const makeUnsubscribeSecret = (random: Random): string =>
  Buffer.from(random(SECRET_BYTES)).toString('base64url');

/** Writes the last part of the path of a link. */
export const writeUnsubscription = ({ program, slug, secret }: Unsubscription): string =>
  [publicKeyOf(program).slice('pk_'.length), slug, secret].join('.');

/** Parses what `writeUnsubscription` wrote; `undefined` for anything else. */
export function parseUnsubscription(value: string): Unsubscription | undefined {
  const [, id, slug, secret] = VALUE.exec(value) ?? [];
  const program = programIdOf(`pk_${id}`);
  return program === undefined || slug === undefined || secret === undefined ? undefined : { program, slug, secret };
}

/** True if a link is the advocate's, in a time that says nothing about the secret. */
export function isUnsubscriptionOf({ unsubscribe }: Advocate, { secret }: Unsubscription): boolean {
  const [one, other] = [unsubscribe ?? '', secret].map((text) => Buffer.from(text));
  return one !== undefined && other !== undefined && one.length === other.length && timingSafeEqual(one, other);
}
