import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { affiliate } from '../../samples.ts';
import { aClick, aConversion } from './situations.ts';
import { apply, aStep } from './steps.ts';

describe('any sequence of changes by different clocks', () => {
  test('any sequence keeps created_at <= state_set_at <= updated_at; state_set_at changes with the state', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(aStep, { maxLength: 40 }), (isClick, steps) => {
        let before = isClick ? aClick() : aConversion();
        for (const next of steps) {
          const after = apply(before, next);
          expect(after.createdAt).toBe(before.createdAt);
          expect(after.createdAt <= after.stateSetAt && after.stateSetAt <= after.updatedAt).toBe(true);
          expect(after.updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
          const isNew = after.state !== before.state;
          if (!isNew) expect(after.stateSetAt).toBe(before.stateSetAt);
          expect(after.stateSetAt === after.updatedAt || !isNew).toBe(true);
          expect(after.history).toHaveLength(before.history.length + Number(after !== before));
          const changes = after.history.filter((entry) => entry.type === 'state');
          expect(changes.at(-1)).toMatchObject({ state: after.state, setAt: after.stateSetAt });
          expect(after.history.at(-1)?.setAt).toBe(after.updatedAt);
          expect(after.version).toBe(before.version + Number(after !== before));
          const moves = after.history.flatMap((entry) => (entry.type === 'reassignment' ? [entry.to] : []));
          expect(after.advocateSlug).toBe(moves.at(-1) ?? affiliate.slug);
          expect(after.convertedAt === null).toBe(!changes.some(({ state }) => state === 'converted'));
          before = after;
        }
      }),
    );
  });
});
