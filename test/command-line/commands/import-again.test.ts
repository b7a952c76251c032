import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { newReferral, type Referral } from '../../../functions/domain/referral/referral.ts';
import { createAdvocate } from '../../../functions/table/advocates.ts';
import { emailKey } from '../../../functions/table/keys.ts';
import { storeReferrals } from '../../../functions/table/operator/referral-import.ts';
import { createProgram } from '../../../functions/table/programs.ts';
import { toReferralItem } from '../../../functions/table/referrals/referral-item.ts';
import { runAdmin } from '../../support/admin.ts';
import { type Imported, importing, useFiles } from '../../support/admin-here.ts';
import { conversionOf } from '../../support/conversion.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext, interleaved } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
/** For thousands of items, because the other tests read the complete table, some of them many times. */
const largeTable = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
const file = useFiles();

let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program, { slug: 'jane' });
});

const imported = async (content: string, at = table) => importing(at, 'referral', program.id, await file(content));
const HEADER = 'advocate_slug,state,email,uid';
const people = (count: number) => [
  HEADER,
  ...Array.from({ length: count }, (_, index) => `jane,paid,c${index}@shop.example,`),
];
/** Returns the items of the program's referrals and claims. */
const stored = async (at = table) => (await itemsOf(at, program)).filter(({ sk }) => sk !== 'ADVOCATE');
const referrals = async () => (await stored()).filter(({ sk }) => sk === 'REFERRAL');

describe('lines whose customer already has a referral', () => {
  const email = 'ann@shop.example';
  const uid = 'cus_1';
  const failed = (name: string) => ({
    created: 0,
    skipped: 0,
    failed: [{ line: 2, reason: `${name} belongs to another referral` }],
  });
  const skipped = { created: 0, skipped: 1, failed: [] };

  test.each([
    [{ email }, `${email},`, skipped],
    [{ email }, ' Ann@SHOP.example ,', skipped],
    [{ email, customerUid: uid }, `${email},`, skipped],
    [{ email, customerUid: uid }, `,${uid}`, skipped],
    [{ email, customerUid: uid }, `${email},${uid}`, skipped],
    [{ email: null, customerUid: uid }, `,${uid}`, skipped],
    [{ email }, `${email},${uid}`, failed('email')],
    [{ email, customerUid: uid }, `${email},CUS_1`, failed('email')],
    [{ email, customerUid: uid }, `bob@shop.example,${uid}`, failed('uid')],
    [{ email: null, customerUid: uid }, `${email},${uid}`, failed('uid')],
  ])('a line of a known customer is skipped or fails: %j, then "%s"', async (customer, line, report) => {
    const { id } = await aReferral(table, program, jane, customer);
    expect(await imported(`${HEADER}\njane,churned,${line}`)).toEqual(report);
    expect((await referrals()).map(({ created }) => String(created).slice(-36))).toEqual([id]);
  });

});

/** Stores referrals as an import does, with new ids. */
const store = (...newReferrals: Referral[]) =>
  storeReferrals(
    table,
    program.id,
    newReferrals.map((referral) => ({ referral: { ...referral, id: newId() }, hasId: false })),
  );

describe('claims that are visible before their referral', () => {
  const put = (Item: object) => table.client.send(new PutCommand({ TableName: table.name, Item }));
  /** Creates a referral whose item is not stored yet. */
  const pending = async (email: string) => {
    const other = await aProgram(table);
    const referral = await aReferral(table, other, jane, { email });
    await put({ ...emailKey(program.id, email), referral: referral.id });
    return referral;
  };

  test('a claim is reported as known as soon as its referral is visible', async () => {
    const referral = await pending('late@shop.example');
    const show = () => put(toReferralItem(program.id, referral));
    beforeNext(table, 'BatchGetItemCommand', async () => {
      beforeNext(table, 'BatchGetItemCommand', show);
    });
    expect(await store(referral)).toEqual(['known']);
  });

  test('a claim is reported as taken if its referral never becomes visible', async () => {
    const referral = await pending('never@shop.example');
    expect(await store(referral)).toEqual(['email taken']);
  });
});
