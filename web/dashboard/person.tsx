import type { ComponentChildren } from 'preact';
import { applicantName } from '../kit/applicant.ts';

/** An advocate as any response contains it. Rows of balances and statistics have no email. */
interface Named {
  readonly first_name: string | null;
  readonly last_name: string | null;
  /** `null` after an erasure. */
  readonly email?: string | null;
  readonly slug: string;
}

/** What people call an advocate: its name, else its email, else its link name. */
export const nameOf = (person: Named): string => applicantName(person) || (person.email ?? person.slug);

interface PersonProps extends Named {
  /** Where the name leads. */
  readonly href?: string;
  /** Stands beside the name, such as a badge. */
  readonly beside?: ComponentChildren;
}

/** The name of an advocate, and its email below. */
export function Person({ href, beside, ...person }: PersonProps) {
  const name = nameOf(person);
  const { email } = person;
  const text = <bdi>{name}</bdi>;
  return (
    <>
      {href === undefined ? text : <a href={href}>{text}</a>} {beside}
      {email && email !== name && <Email email={email} />}
    </>
  );
}

/** A long email breaks before its host. */
export function Email({ email }: { readonly email: string }) {
  const host = email.indexOf('@') + 1;
  return (
    <bdi class="person-line">
      {email.slice(0, host)}
      <wbr />
      {email.slice(host)}
    </bdi>
  );
}
