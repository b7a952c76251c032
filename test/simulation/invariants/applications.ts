import { addressHash } from '../../../functions/kernel/address.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import * as keys from '../../../functions/kernel/dynamodb/keys.ts';
import type { EmailCause } from '../../../functions/people/rules/email-cause.ts';
import type { Check, Evidence } from './evidence.ts';

/** The cause of an email about an application. */
export type ApplicationCause = Extract<EmailCause, { kind: 'confirm' | 'approved' | 'rejected' | 'waiting' }>;

export const isAboutApplication = (cause: EmailCause): cause is ApplicationCause =>
  ['confirm', 'approved', 'rejected', 'waiting'].includes(cause.kind);

/** The promise about applications that holds once no request is under way. */
export const applications: Check = function* ({ past, table }: Evidence) {
  const advocates = past.newest(/\nADVOCATE$/).filter((item) => item['application'] !== undefined);
  const ids = advocates.map((item) => item['application']);
  if (new Set(ids).size < ids.length) yield 'An application has two advocates';
  for (const versions of past.matching(/\nAPPLICATION$/)) {
    const states = versions.flatMap(({ item }) => (item ? [String(item['state'])] : []));
    const [first, ...others] = states.filter((state, index) => state !== states[index - 1]);
    if (first !== 'pending' || others.length > 1) yield `An application was ${states}`;
    const { item } = versions.at(-1) ?? {};
    if (!item) continue;
    const { pk, id, slug, state, email } = item;
    const program = keys.programInKey(String(pk));
    const advocate = state === 'approved' ? table.get({ ...keys.advocateKey(program, String(slug)) }) : undefined;
    if (state === 'approved' && advocate?.['application'] !== id) yield `${slug} does not have the application ${id}`;
    if (!sentOf(past, program, item).includes(id)) yield `${email} never applied with ${id}`;
  }
};

/** The ids of what an address has sent. */
function sentOf(past: Evidence['past'], program: string, { email }: Item): unknown[] {
  return past.of(keys.draftKey(program, addressHash(String(email)))).map(({ item }) => item?.['id']);
}

/** The addresses, since `mail` began to read, of whoever should get an email about an application. */
export function recipientsOf(
  { past }: Evidence,
  program: string,
  cause: ApplicationCause,
  [from, to]: readonly [number, number],
): unknown[] {
  const emails = (key: keys.Key) => past.between(key, from, to).map(({ email }) => email);
  switch (cause.kind) {
    case 'confirm':
      return emails(keys.draftKey(program, cause.address));
    case 'approved':
      return emails(keys.advocateKey(program, cause.slug));
    case 'rejected':
      return emails(keys.applicationKey(program, cause.application));
    case 'waiting': {
      const stored = past.between(keys.membersKey(program), from, to);
      const members = stored.flatMap(({ members }) => members as readonly Item[]);
      return members.filter(({ scopes }) => String(scopes).includes('advocates')).map(({ email }) => email);
    }
  }
}

/** True if what an email about an application says has happened. */
export function hasHappened({ past }: Evidence, program: string, cause: ApplicationCause): boolean {
  const has = (key: keys.Key, isIt: (item: Item) => boolean) => past.of(key).some(({ item }) => item && isIt(item));
  switch (cause.kind) {
    case 'confirm':
      return has(keys.draftKey(program, cause.address), ({ id, sent }) => id === cause.application && sent === true);
    case 'approved':
      return has(
        keys.advocateKey(program, cause.slug),
        ({ application, invited_at }) => cause.request === application || cause.request === String(invited_at),
      );
    case 'rejected':
      return has(
        keys.applicationKey(program, cause.application),
        ({ state, notify }) => state === 'rejected' && notify === true,
      );
    case 'waiting':
      return has(keys.applicationKey(program, cause.application), ({ state }) => state === 'pending');
  }
}
