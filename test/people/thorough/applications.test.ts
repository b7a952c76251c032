import { beforeEach, describe, expect, test } from '@jest/globals';
import { eraseAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { deleteAddressItems } from '../../../functions/kernel/accounts/table/address-items.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import { addressConfirmationsKey, programConfirmationsKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { batchGet } from '../../../functions/kernel/dynamodb/table.ts';
import { stopProgram } from '../../../functions/operator/delete-program.ts';
import type { ApplicationDraft } from '../../../functions/people/rules/applications/application.ts';
import { ApplicationNotFound, InvalidLink, TooManyApplications } from '../../../functions/people/rules/errors.ts';
import { confirmApplication, lookUpApplication } from '../../../functions/people/table/applications/confirm.ts';
import { approveApplication, rejectApplication } from '../../../functions/people/table/applications/decide.ts';
import { sendApplication } from '../../../functions/people/table/applications/send.ts';
import {
  anApplication,
  countsOf,
  DAY,
  emailsOf,
  inSeconds,
  LOST,
  linkOf,
  NOON,
  NOOR,
  REJECTION,
  spend,
  takeApplications,
} from '../../support/applications.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { allItems, type TestTable } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
/** An address that no other test has used: its budget is one of the whole deployment. */
let email: string;
let noor: ApplicationDraft;
beforeEach(async () => {
  email = `noor-${newId()}@x.example`;
  noor = { ...NOOR, email };
  program = await aProgram(table);
  await takeApplications(table, program);
});

const at = (seconds: number) => inSeconds(table, seconds);
const apply = (to = at(0), of = program, by = email) => sendApplication(to, of.id, { ...noor, email: by });

describe('limits', () => {
  test('an address gets three emails a day from all programs, and what it sent last stays', async () => {
    const other = await aProgram(table);
    await takeApplications(table, other);
    const sent = [await apply(), await apply(at(1), other), await apply(at(2)), await apply(at(3))];
    expect(sent).toEqual([true, true, true, false]);
    const code = await linkOf(at(4), program, email);
    expect((await lookUpApplication(at(4), code)).createdAt).toBe(NOON + 2);
    expect([await apply(at(4), program, `eve-${email}`), await apply(at(DAY))]).toEqual([true, true]);
    await expect(lookUpApplication(at(DAY), code)).rejects.toThrow(InvalidLink);
  });

  test('a program accepts 200 applications an hour, whoever sends them', async () => {
    await apply();
    await spend(table, programConfirmationsKey(program.id), 199);
    expect(await apply(at(1), program, `eve-${email}`)).toBe(true);
    await expectUnchanged(table, async () => {
      for (const by of [`kim-${email}`, email])
        await expect(apply(at(2), program, by)).rejects.toThrow(TooManyApplications);
    });
    expect(await apply(at(3600), program, `kim-${email}`)).toBe(true);
  });

  test.each(LOST)('an application whose response %s is stored and counted once', async (_, faults) => {
    proxied.proxy.next('TransactWriteItems', ...faults);
    expect(await sendApplication(proxied.faulty, program.id, noor)).toBe(true);
    const counts = await batchGet(table, [
      addressConfirmationsKey(addressHash(email)),
      programConfirmationsKey(program.id),
    ]);
    expect(counts).toEqual([1, 1].map((count) => expect.objectContaining({ count })));
  });

  test('two applications of an address at the same time leave one', async () => {
    expect(await Promise.all([apply(table), apply(table)])).toEqual([true, true]);
    expect(await countsOf(table, program, 'unconfirmed', 'pending')).toEqual([1, 0]);
  });
});

describe('confirming', () => {
  test('two confirmations at the same time make one application', async () => {
    await apply(table);
    const code = await linkOf(table, program, email);
    const both = await Promise.all([confirmApplication(table, code), confirmApplication(table, code)]);
    expect(both[0]).toEqual(both[1]);
    expect(await countsOf(table, program, 'unconfirmed', 'pending')).toEqual([0, 1]);
  });

  test.each(LOST)('a confirmation whose response %s makes one application', async (_, faults) => {
    await apply(table);
    const code = await linkOf(table, program, email);
    proxied.proxy.next('TransactWriteItems', ...faults);
    expect((await confirmApplication(proxied.faulty, code)).state).toBe('pending');
    expect(await countsOf(table, program, 'pending')).toEqual([1]);
  });

  test('a link works for three days, and not after another application or an erasure', async () => {
    await apply();
    const code = await linkOf(at(0), program, email);
    await expectUnchanged(table, () => expect(confirmApplication(at(3 * DAY), code)).rejects.toThrow(InvalidLink));
    await apply(at(1));
    await expectUnchanged(table, () => expect(confirmApplication(at(1), code)).rejects.toThrow(InvalidLink));
    const second = await linkOf(at(1), program, email);
    await deleteAddressItems(at(1), program.id, addressHash(email));
    await expectUnchanged(table, () => expect(confirmApplication(at(1), second)).rejects.toThrow(InvalidLink));
  });

  test.each<[string, (to: TestTable) => Promise<unknown>, RegExp[]]>([
    ['pending', async (to) => anApplication(to, program, noor), []],
    [
      'rejected',
      async (to) => rejectApplication(to, program.id, (await anApplication(to, program, noor)).id, REJECTION),
      [],
    ],
    [
      'rejected but may apply again',
      async (to) =>
        rejectApplication(to, program.id, (await anApplication(to, program, noor)).id, {
          ...REJECTION,
          mayApplyAgain: true,
        }),
      [/^Confirm/],
    ],
    ["an advocate's", async (to) => anAdvocate(to, program, { email: email }), [/^Sign in/]],
    ['unknown', async () => undefined, [/^Confirm/]],
  ])('an address that is %s gets the emails that it may have', async (_, prepare, subjects) => {
    await prepare(at(0));
    await apply(at(1));
    const emails = await emailsOf(at(1), program, email);
    expect(emails.map(({ subject }) => subject)).toEqual(subjects.map((subject) => expect.stringMatching(subject)));
  });

  test('a rejected address is remembered for 180 days, and its answers for 30', async () => {
    const { id } = await anApplication(at(0), program, noor);
    await rejectApplication(at(0), program.id, id, REJECTION);
    await expect(approveApplication(at(30 * DAY), program, id, {})).rejects.toThrow(ApplicationNotFound);
    await apply(at(179 * DAY));
    expect(await emailsOf(at(179 * DAY), program, email)).toEqual([]);
    await apply(at(180 * DAY));
    const code = await linkOf(at(180 * DAY), program, email);
    expect((await confirmApplication(at(180 * DAY), code)).state).toBe('pending');
  });
});

describe('erasure', () => {
  /** The sort keys of everything that contains the address or its hash. */
  const leftOf = async (address = email) =>
    (await allItems(table))
      .filter((item) => [address, addressHash(address)].some((text) => JSON.stringify(item).includes(text)))
      .map(({ sk }) => sk);

  test.each<[string, () => Promise<unknown>]>([
    ['sent', () => apply(table)],
    ['confirmed', () => anApplication(table, program, noor)],
    ...[true, false].map((mayApplyAgain): [string, () => Promise<unknown>] => [
      `rejected, with may_apply_again ${mayApplyAgain}`,
      async () => {
        const { id } = await anApplication(table, program, noor);
        await rejectApplication(table, program.id, id, { ...REJECTION, mayApplyAgain });
      },
    ]),
  ])('nothing but a limit is left of an application that was %s', async (_, prepare) => {
    await prepare();
    await deleteAddressItems(table, program.id, addressHash(email));
    expect(await leftOf()).toEqual(['COUNT']);
  });

  test('an application that is confirmed during an erasure is erased', async () => {
    await apply(table);
    const code = await linkOf(table, program, email);
    beforeNext(table, 'TransactWriteItemsCommand', () => confirmApplication(table, code));
    await deleteAddressItems(table, program.id, addressHash(email));
    expect(await leftOf()).toEqual(['COUNT']);
  });

  test('the application of an advocate is erased with it, and forgotten with the address that sent it', async () => {
    const approve = async (by: string) =>
      (await approveApplication(table, program, (await anApplication(table, program, { ...noor, email: by })).id, {}))
        .advocate;
    for (const [by, erase] of [
      [email, (slug: string) => eraseAdvocate(table, program.id, slug)],
      [`eve-${email}`, () => deleteAddressItems(table, program.id, addressHash(`eve-${email}`))],
    ] as const) {
      const { slug } = await approve(by);
      await updateAdvocate(table, program.id, slug, { email: `new-${newId()}@x.example` });
      await erase(slug);
      expect(await leftOf(by)).toEqual(['COUNT']);
    }
    expect(await countsOf(table, program, 'approved')).toEqual([0]);
  });

  test('a confirmation during which somebody else applies confirms nothing', async () => {
    await apply(table);
    const code = await linkOf(table, program, email);
    beforeNext(table, 'TransactWriteItemsCommand', async () => {
      await deleteAddressItems(table, program.id, addressHash(email));
      await sendApplication(table, program.id, { ...noor, firstName: 'Eve' });
    });
    await expect(confirmApplication(table, code)).rejects.toThrow(InvalidLink);
    expect(await countsOf(table, program, 'unconfirmed', 'pending')).toEqual([1, 0]);
  });

  test('a program that is stopped gets no application', async () => {
    await apply(table);
    const code = await linkOf(table, program, email);
    beforeNext(table, 'TransactWriteItemsCommand', () => stopProgram(table, program.id));
    await expect(confirmApplication(table, code)).rejects.toThrow(InvalidLink);
    expect(await countsOf(table, program, 'pending')).toEqual([0]);
  });
});
