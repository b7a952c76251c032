import { changeOwn } from '../../functions/advocates/rules/advocate-changes.ts';
import { replaceAdvocate } from '../../functions/advocates/table/advocates.ts';
import { addressHash } from '../../functions/kernel/address.ts';
import { required } from '../../functions/kernel/dynamodb/item.ts';
import { draftKey } from '../../functions/kernel/dynamodb/keys.ts';
import { get } from '../../functions/kernel/dynamodb/table.ts';
import { transact } from '../../functions/kernel/dynamodb/writes.ts';
import { text } from '../../functions/kernel/fields/parsers.ts';
import { secondOf } from '../../functions/kernel/time.ts';
import { ADVOCATE, NEWEST_ADVOCATE, OTHER_APPLICATION } from '../../functions/openapi/records.ts';
import { parseApplicationBody } from '../../functions/people/http/applications/mapping.ts';
import type { EmailCause } from '../../functions/people/rules/email-cause.ts';
import { type LinkCode, parseLinkCode } from '../../functions/people/rules/link-code.ts';
import { applicationWrite } from '../../functions/people/table/applications/items.ts';
import { sendApplication } from '../../functions/people/table/applications/send.ts';
import { signIn } from '../../functions/people/table/sessions.ts';
import type { OperationId } from '../../functions/routes.ts';
import { operationOf } from './openapi.ts';
import { codeIn, mailboxOf, messageOf } from './people.ts';
import { newId } from './program.ts';
import type { TestTable } from './table.ts';

/**
 * What only the emails of the demo contain: codes for the bodies of operations, and tokens from a sign-in. Also stores the
 * application that an example rejects, because the application of the demo is decided once.
 */
export async function fromEmails(table: TestTable, program: string) {
  await transact(table, [applicationWrite(program, OTHER_APPLICATION, { value: undefined, version: 0 })]);
  const mailbox = mailboxOf(table, undefined, { leavesMachine: false });
  const codeOf = async (cause: EmailCause, name?: string) => {
    await mailbox.deliver(messageOf(table, program, cause));
    return codeIn(mailbox.emails.pop() ?? { text: '' }, name);
  };
  const signInCode = () =>
    codeOf({ kind: 'sign_in', page: 'portal', address: addressHash(ADVOCATE.email ?? ''), request: newId() });
  const session = async () => (await signIn(table, parseLinkCode(await signInCode()) as LinkCode, false)).token;
  // The undo ends all tokens of its advocate.
  const { slug, version } = await replaceAdvocate(table, program, NEWEST_ADVOCATE.slug, {
    change: (before) =>
      changeOwn(before, { payoutMethod: 'paypal', payoutAccount: 'lena@pay.example' }, secondOf(table.clock())),
  });
  const undo = { kind: 'account_changed', slug, version, changes: ['payout_account'], to: 'now' } as const;
  const { examples } = operationOf('sendApplication').requestBody.content['application/json'];
  const { draft } = parseApplicationBody(examples.website.value);
  // An address that got its three emails of a day keeps its application: the example replaces it no more.
  for (const _ of [1, 2, 3]) await sendApplication(table, program, draft);
  const address = addressHash(draft.email);
  const application = required((await get(table, draftKey(program, address))) ?? {}, 'id', text);
  const confirmation = await codeOf({ kind: 'confirm', address, application }, 'confirm');
  const codes: Partial<Record<OperationId, string>> = {
    createSession: await signInCode(),
    undoPayoutAccount: await codeOf(undo, 'undo'),
    lookUpApplication: confirmation,
    confirmApplication: confirmation,
  };
  const tokens: Partial<Record<OperationId, string>> = {
    updateAffiliate: await session(),
    deleteSession: await session(),
  };
  return { codes, tokens };
}
