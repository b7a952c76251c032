import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type AdvocateDraft, draftAdvocate, EMPTY_ADVOCATE } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { hashToken, makeToken, newToken } from '../../../functions/domain/token.ts';
import {
  createAdvocate,
  findAdvocate,
  revokeAdvocateTokens,
  updateAdvocate,
} from '../../../functions/table/advocates.ts';
import { findProgram } from '../../../functions/table/programs.ts';
import { createTokenBy } from '../../../functions/table/tokens.ts';
import { inSeries, metered } from '../../support/meter.ts';
import { anAdvocate, aProgram, aToken, newId, now } from '../../support/program.ts';
import { useCountingTable } from '../../support/use-table.ts';

const table = useCountingTable();
let program: Program;
beforeAll(async () => {
  program = await aProgram(table);
});

/** Measures creating an advocate as the route does. */
const measured = (fields: Partial<AdvocateDraft>) =>
  metered(table, async () => {
    const person = { firstName: 'Jane', lastName: 'Doe', email: 'jane.smith82@example.com' };
    const draft = { ...EMPTY_ADVOCATE, ...person, commissionPercentage: 12.5, ...fields };
    const { advocate, otherSlugs } = draftAdvocate(
      draft,
      { slugs: 'names' },
      { id: newId(), now: now(), random: randomBytes },
    );
    return inSeries(table, () => createAdvocate(table, program.id, advocate, otherSlugs));
  });

describe('the capacity of creating an advocate', () => {
  // Each item costs 2 units in a transaction: the advocate, and the claim of its uid. The row of the list costs 1 unit.
  test.each([
    ['with a slug', { slug: 'own' }, 1, 0, 3],
    ['with a slug and a uid', { slug: 'other', uid: 'cus_00000001' }, 1, 0, 5],
    ['with a derived slug', { firstName: 'Ann' }, 2, 4, 3],
    ['with a derived slug and a uid', { firstName: 'Zoë', uid: 'cus_00000002' }, 2, 4, 5],
    ['with the longest fields', { slug: 'a'.repeat(64), uid: '李'.repeat(128), company: '李'.repeat(200) }, 1, 0, 8],
  ])('a creation %s uses at most one read and one transaction', async (_, fields, requests, readUnits, writeUnits) => {
    const reading = await measured(fields);
    expect(reading).toMatchObject({ requests, readUnits, writeUnits });
  });

  test('a creation whose names are taken four times uses one read: the taken slugs are read together', async () => {
    for (const end of ['', '-2', '-3', '-4']) await anAdvocate(table, program, { slug: `roe-roe${end}` });
    const { result, ...reading } = await measured({ firstName: 'Roe', lastName: 'Roe', uid: newId() });
    expect([result.result.slug, result.rounds]).toEqual(['roe-roe-5', 2]);
    expect(reading).toMatchObject({ requests: 2, writeUnits: 5 });
  });
});

test('creating a token for an advocate uses three requests', async () => {
  const advocate = await anAdvocate(table, program);
  const creator = hashToken(await aToken(table, program));
  const reading = await metered(table, async () => {
    await findAdvocate(table, program.id, advocate.slug);
    const record = newToken({ advocate, expiresAt: seconds(now() + 3600) }, newId(), now());
    await createTokenBy(table, program, { token: makeToken('affiliate', randomBytes), record, creator });
  });
  // The advocate and the creator; the token, and its row in the list of tokens.
  expect(reading).toMatchObject({ requests: 3, readUnits: 2, writeUnits: 2 });
});

test("revoking an advocate's tokens uses one read and one transaction, however many there are", async () => {
  const advocate = await anAdvocate(table, program);
  for (let count = 0; count < 5; count += 1) await aToken(table, program, advocate);
  const reading = await metered(table, () => revokeAdvocateTokens(table, program.id, advocate.slug));
  expect(reading).toMatchObject({ requests: 2, readUnits: 1, writeUnits: 2 });
});

describe('the capacity of updating an advocate', () => {
  test.each([
    ['of its names', { firstName: 'Janet' }, 5],
    ['of its uid', { uid: 'cus_00000009' }, 7],
    ['that changes nothing', { active: true }, 0],
  ])('an update %s uses one read and at most one transaction', async (_, changes, writeUnits) => {
    const { slug } = await anAdvocate(table, program, { uid: newId() });
    const reading = await metered(table, () => updateAdvocate(table, program.id, slug, changes));
    expect(reading).toMatchObject({ requests: writeUnits === 0 ? 1 : 2, readUnits: 1, writeUnits });
  });
});

test('reading the program uses one consistent read', async () => {
  expect(await metered(table, () => findProgram(table, program.id))).toMatchObject({ requests: 1, readUnits: 1 });
});
