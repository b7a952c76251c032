import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { createAdvocates } from '../../../functions/advocates/operator/advocate-import.ts';
import * as advocates from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { hashToken, newToken } from '../../../functions/kernel/accounts/rules/token.ts';
import * as programs from '../../../functions/kernel/accounts/table/programs.ts';
import { createToken, createTokenBy } from '../../../functions/kernel/accounts/table/tokens.ts';
import { advocateKey, referralKey, stripeCustomerName } from '../../../functions/kernel/dynamodb/keys.ts';
import { AdvocateNotFound, IdTaken, ReferralNotFound } from '../../../functions/kernel/errors.ts';
import { bulkStoreOf } from '../../../functions/kernel/operator/bulk-writes.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { addProviderCustomers } from '../../../functions/referrals/operator/provider-customers.ts';
import * as imports from '../../../functions/referrals/operator/referral-import.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import * as changes from '../../../functions/referrals/table/referrals.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { createWebhook } from '../../../functions/webhooks/table/program-webhooks.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId, now } from '../../support/program.ts';
import { anInvoice } from '../../support/stripe/stripe.ts';
import { track } from '../../support/table/track.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program, { uid: newId() });
});

/** The result of a write whose condition fails: the class or code of an error, or the outcome that it returns. */
type Outcome = unknown;
interface Case {
  readonly verb: string;
  readonly failed: string;
  readonly expected: Outcome;
  readonly run: () => Promise<unknown>;
}
const failing = (verb: string, failed: string, expected: Outcome, run: Case['run']): Case => ({
  verb,
  failed,
  expected,
  run,
});

const remove = (key: object) => table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...key } }));
const byJane = () => ({ by: { slug: jane.slug, clickId: null } });
const importing = (referral: Referral) => imports.storeReferrals(table, program.id, [{ referral, hasId: true }]);
const CASES: Case[] = [
  failing('createProgram', 'another program has the id', IdTaken, () =>
    programs.createProgram(table, { ...program, createdAt: seconds(1) }),
  ),
  failing('createToken', 'the token exists', IdTaken, async () => {
    const token = await aToken(table, program);
    await createToken(table, program, token, newToken({}, newId(), now()));
  }),
  failing('createTokenBy', 'the token exists', IdTaken, async () => {
    const token = await aToken(table, program);
    const record = newToken({ advocate: jane }, newId(), now());
    await createTokenBy(table, program, { token, record, creator: hashToken(token) });
  }),
  failing('updateAdvocate', 'the operator has removed the advocate', AdvocateNotFound, async () => {
    beforeNext(table, 'TransactWriteItemsCommand', () => remove(advocateKey(program.id, jane.slug)));
    await advocates.updateAdvocate(table, program.id, jane.slug, { active: false });
  }),
  failing('createAdvocates', 'the slug is taken', ['slug taken'], () =>
    createAdvocates(table, program.id, [{ ...jane, id: newId(), email: 'a@b.example' }]),
  ),
  failing('trackConversion', 'the new id is taken', IdTaken, async () => {
    const { id } = await aReferral(table, program, jane);
    await track(table, program, { ...byJane(), newId: id });
  }),
  failing('trackConversion', 'the key was used for other fields', 'idempotency_key_reused', async () => {
    const key = newId();
    beforeNext(table, 'TransactWriteItemsCommand', () => track(table, program, { ...byJane(), key }));
    await track(table, program, { ...byJane(), key });
  }),
  failing('setReferralState', 'the table has deleted the click', ReferralNotFound, async () => {
    const { id } = await aClick(table, program, jane);
    beforeNext(table, 'PutItemCommand', () => remove(referralKey(program.id, id)));
    await changes.setReferralState(table, program.id, id, { state: 'rejected', actor: 'merchant' });
  }),
  failing('reassignReferral', 'the row does not exist', ReferralNotFound, async () => {
    const { id } = await aReferral(table, program, await anAdvocate(table, program));
    beforeNext(table, 'PutItemCommand', () => remove(referralKey(program.id, id)));
    await changes.reassignReferral(
      table,
      program,
      { id, email: null, uid: null },
      { slug: jane.slug, actor: 'merchant' },
    );
  }),
  failing('storeReferrals', 'the id is taken', ['id taken'], async () => {
    const referral = await aReferral(table, program, jane);
    return importing({ ...referral, email: 'a@b.example' });
  }),
  failing('addProviderCustomers', 'another referral claims it first', new Map([[0, 'taken']]), async () => {
    const [uid, customer] = [newId(), newId()];
    const [{ id }] = await Promise.all([
      aReferral(table, program, jane),
      aReferral(table, program, jane, { customerUid: uid }),
    ]);
    beforeNext(table, 'TransactWriteItemsCommand', () =>
      applyStripeEvent(table, program, anInvoice({ uid, customer })),
    );
    const line = { line: 0, referral: id, name: stripeCustomerName(customer) };
    return addProviderCustomers(table, bulkStoreOf(table), program.id, [line]);
  }),
  failing('createWebhook', 'the id is taken', IdTaken, async () => {
    const webhook = await aWebhook(table, program);
    await createWebhook(table, program.id, { ...webhook, createdAt: seconds(1) });
  }),
];

async function outcomeOf(run: Case['run']): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return 'code' in error && error.code === 'idempotency_key_reused' ? error.code : error.constructor;
  }
}

test.each(CASES)('the failed condition of $verb is reported by name: $failed', async ({ run, expected }) => {
  expect(await outcomeOf(run)).toEqual(expected);
});
