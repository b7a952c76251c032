import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate, AdvocateChanges } from '../../../functions/domain/advocate.ts';
import { InvalidAffiliate, UidTaken } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { revokeAdvocateTokens, updateAdvocate } from '../../../functions/table/advocates.ts';
import { interleaved } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { expectConsistent, expectConsistentAdvocates } from '../../support/table/consistency.ts';
import { move } from '../../support/table/situations.ts';
import { track } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();

type Slug = 'jane' | 'john';
type Step =
  | { readonly do: 'update'; readonly slug: Slug; readonly changes: AdvocateChanges }
  | { readonly do: 'convert by uid'; readonly uid: string }
  | { readonly do: 'convert by slug' | 'move' | 'revoke tokens'; readonly slug: Slug };

const slug = fc.constantFrom<Slug>('jane', 'john');
const uid = fc.constantFrom('jane', 'john', 'spare');
const action = <Name extends Step['do']>(...names: Name[]) => fc.constantFrom(...names);
const changes: fc.Arbitrary<AdvocateChanges> = fc.oneof(
  fc.record({ uid: fc.option(uid) }),
  fc.record({ active: fc.boolean() }),
  fc.record({ commissionPercentage: fc.constantFrom(null, 10, 30), uid }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ do: action('update'), slug, changes }), weight: 4 },
  { arbitrary: fc.record({ do: action('convert by uid'), uid }), weight: 2 },
  { arbitrary: fc.record({ do: action('convert by slug', 'move', 'revoke tokens'), slug }), weight: 2 },
);

function run(program: Program, referral: string, next: Step): Promise<unknown> {
  switch (next.do) {
    case 'update':
      return updateAdvocate(table, program.id, next.slug, next.changes);
    case 'convert by uid':
      return track(table, program, { by: { publicKey: program.publicKey, uid: next.uid } });
    case 'convert by slug':
      return track(table, program, { by: { slug: next.slug, clickId: null } });
    case 'move':
      return move(table, program, referral, next.slug);
    case 'revoke tokens':
      return revokeAdvocateTokens(table, program.id, next.slug);
  }
}

/** Expects each field to have the value of one of the successful updates, or its first value if there was none. */
function expectLastChanges(stored: Advocate | undefined, initial: Advocate, updates: readonly AdvocateChanges[]): void {
  for (const field of ['uid', 'active', 'commissionPercentage'] as const) {
    const values = updates.flatMap((each) => (field in each ? [each[field]] : []));
    expect(values.length > 0 ? values : [initial[field]]).toContainEqual(stored?.[field]);
  }
}

/** Expects updates to fail only for a taken uid, and everything else only for a deactivated advocate. */
function expectRefusals(steps: readonly Step[], outcomes: readonly PromiseSettledResult<unknown>[]): void {
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue;
    expect(outcome.reason).toBeInstanceOf(steps[index]?.do === 'update' ? UidTaken : InvalidAffiliate);
  }
}

test('interleaved updates, conversions, moves and revocations leave every claim equal to its advocate', async () => {
  const property = async (scheduler: fc.Scheduler, steps: Step[]) => {
    const program = await aProgram(table);
    const people: Advocate[] = [];
    for (const name of ['jane', 'john']) people.push(await anAdvocate(table, program, { slug: name, uid: name }));
    const { id } = await aReferral(table, program, await anAdvocate(table, program));
    const outcomes = await interleaved(scheduler, table, () =>
      Promise.allSettled(steps.map((next) => run(program, id, next))),
    );
    const items = await itemsOf(table, program);
    const advocates = expectConsistentAdvocates(items, program);
    const succeeded = steps.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    const conversions = succeeded.filter((each) => each.do.startsWith('convert'));
    expect(expectConsistent(items, program)).toHaveLength(1 + conversions.length);
    expectRefusals(steps, outcomes);
    for (const person of people) {
      const updates = succeeded.flatMap((each) =>
        each.do === 'update' && each.slug === person.slug ? [each.changes] : [],
      );
      const stored = advocates.find((advocate) => advocate.slug === person.slug);
      expectLastChanges(stored, person, updates);
      const isRevoked = succeeded.some((each) => each.do === 'revoke tokens' && each.slug === person.slug);
      expect(stored?.tokensRevokedAt ?? null).toEqual(isRevoked ? expect.any(Number) : null);
    }
  };
  const steps = fc.array(step, { minLength: 2, maxLength: 6 });
  await fc.assert(fc.asyncProperty(fc.scheduler(), steps, property), { numRuns: 50 });
});
