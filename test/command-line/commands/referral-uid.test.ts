import { describe, expect, test } from '@jest/globals';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram({}, { slug: 'jane' });

const command = (verb: string, ...args: string[]) => ['referral', verb, '--program', program.id, ...args];
const printed = (verb: string, ...args: string[]) => jsonHere(table, ...command(verb, ...args));
const run = (verb: string, ...args: string[]) => adminHere(table, ...command(verb, ...args));
const unknown = (otherReason = '') => ({
  status: 1,
  stdout: '',
  stderr: `No referral of the program has the uid in --uid${otherReason}. Run \`referral export\` to list all referrals.\n`,
});

describe('a person known only by uid', () => {
  test.each(['--uid', '--id'])('a person known only by uid can be shown, set and erased with %s', async (option) => {
    const uid = `Customer#${newId()}`;
    const { id } = await aReferral(table, program, advocate, { email: null, customerUid: uid });
    const name = [option, option === '--uid' ? uid : id];
    expect(await printed('show', ...name)).toMatchObject({ id, uid, email: null, state: 'converted' });
    expect(await printed('set-state', ...name, '--state', 'paid')).toMatchObject({ id, uid, state: 'paid' });
    expect(await printed('erase', ...name)).toEqual({ id, state: 'paid', erased: ['uid'] });
    expect(await run('show', '--uid', uid)).toEqual(unknown());
    expect(await printed('show', '--id', id)).toMatchObject({ uid: null, state: 'paid' });
    expect(await printed('erase', '--id', id)).toEqual({ id, state: 'paid', erased: [] });
  });

  test('a person known only by uid is found only by the exact uid and only in this program', async () => {
    const elsewhere = await aProgram(table);
    const stranger = await anAdvocate(table, elsewhere);
    await aReferral(table, elsewhere, stranger, { email: null, customerUid: 'stranger' });
    await aReferral(table, program, advocate, { email: null, customerUid: 'Exact' });
    const before = await allItems(table);
    const cases = [
      [unknown(), 'show'],
      [unknown(), 'set-state', '--state', 'paid'],
      [unknown(', or the person was erased already'), 'erase'],
    ] as const;
    for (const [expected, verb, ...args] of cases) {
      for (const uid of ['stranger', 'exact', 'Exact ']) {
        expect(await run(verb, '--uid', uid, ...args)).toEqual(expected);
      }
    }
    expect(await allItems(table)).toEqual(before);
  });
});
