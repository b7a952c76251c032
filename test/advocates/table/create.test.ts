import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type AdvocateDraft, draftAdvocate } from '../../../functions/advocates/rules/advocate-changes.ts';
import { createAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { type Advocate, EMPTY_ADVOCATE } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { findAdvocate } from '../../../functions/kernel/accounts/table/advocate-items.ts';
import { SlugTaken, UidTaken } from '../../../functions/kernel/errors.ts';
import { listAdvocates } from '../../../functions/kernel/operator/lists.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { expectConsistentAdvocates } from '../../support/table/consistency.ts';
import { itemsOf, type TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
});

const TRANSACTION = 'TransactWriteItems';
const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const NOBODY: AdvocateDraft = {
  ...EMPTY_ADVOCATE,
  ...{ email: 'jane@partners.example', firstName: 'Jane', lastName: 'Doe' },
};

/** Creates an advocate as the route does: without a slug, one is derived from the names. */
function create(fields: Partial<AdvocateDraft> = {}, at: TestTable = table): Promise<Advocate> {
  const { advocate, otherSlugs } = draftAdvocate(
    { ...NOBODY, ...fields },
    { slugs: 'names' },
    { id: newId(), now: now(), random: randomBytes },
  );
  return createAdvocate(at, program.id, advocate, { otherSlugs });
}
const slugs = async () => (await listAdvocates(table, program.id)).map(({ slug }) => slug).sort();
const expectAgreement = async () => expectConsistentAdvocates(await itemsOf(table, program), program);

describe('advocates without a slug', () => {
  test('an advocate without a slug gets the next free slug derived from its names', async () => {
    const created = [await create(), await create(), await create()];
    expect(created.map(({ slug }) => slug)).toEqual(['jane-doe', 'jane-doe-2', 'jane-doe-3']);
    for (const advocate of created) expect(await findAdvocate(table, program.id, advocate.slug)).toEqual(advocate);
  });

  test('an advocate gets the next slug if another request takes its slug between read and write', async () => {
    beforeNext(table, 'TransactWriteItemsCommand', () => anAdvocate(table, program, { slug: 'jane-doe' }));
    expect((await create({ uid: 'jane' })).slug).toBe('jane-doe-2');
    await expectAgreement();
  });
});

test.each([
  ['slug', SlugTaken, { slug: 'wanted' }],
  ['uid', UidTaken, { uid: 'wanted' }],
] as const)(
  'simultaneous creations with the same %s create one advocate, and the other throws',
  async (_, Taken, fields) => {
    const outcomes = await Promise.allSettled([create(fields), create(fields)]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual([expect.any(Taken)]);
    expect(await slugs()).toHaveLength(1);
    await expectAgreement();
  },
);

test('a creation whose response is lost stores one advocate and returns it', async () => {
  proxy.next(TRANSACTION, 'lose');
  expect((await create({ uid: 'jane' }, proxied.faulty)).slug).toBe('jane-doe');
  expect(await slugs()).toEqual(['jane-doe']);
  expect(attempts(TRANSACTION)).toBe(2);
});
