import { replaceAdvocate } from '../../advocates/table/advocates.ts';
import { EMAIL_CHOICES } from '../../kernel/accounts/rules/email-choices.ts';
import { findAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { isUnsubscriptionOf, type Unsubscription } from '../rules/unsubscribe.ts';

/** Switches off all emails that an advocate can switch off. Does nothing if the link is no advocate's, as after an erasure. */
export async function unsubscribe(table: Table, link: Unsubscription): Promise<void> {
  const { program, slug } = link;
  const advocate = await findAdvocate(table, program, slug);
  if (!advocate || !isUnsubscriptionOf(advocate, link)) return;
  await replaceAdvocate(table, program, slug, {
    change: (before) =>
      before.erasedAt !== null || before.emailsOff.length === EMAIL_CHOICES.length
        ? before
        : { ...before, emailsOff: EMAIL_CHOICES, version: before.version + 1 },
  });
}
