import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { derivedId, derivedRandom, UUIDV7_PATTERN } from '../../../functions/domain/ids.ts';
import { aSecond, NOW } from '../samples.ts';

test('a derived id is a UUIDv7 of its second, the same for the same source and second', () => {
  fc.assert(
    fc.property(fc.string(), aSecond, (source, second) => {
      const id = derivedId(source, second);
      expect(id).toMatch(new RegExp(`^${UUIDV7_PATTERN}$`));
      expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(second * 1000);
      expect(derivedId(source, second)).toBe(id);
      expect(derivedId(`${source}.`, second)).not.toBe(id);
    }),
  );
  expect(derivedId('a', null)).toMatch(/^00000000-0000-7/);
  expect(derivedId('a', NOW)).not.toBe(derivedId('a', null));
});

test('derived random bytes have the requested length, are the same in each run, and do not repeat', () => {
  const random = derivedRandom('a');
  const drawn = [32, 1, 100, 0, 8].map((count) => Buffer.from(random(count)).toString('hex'));
  expect(drawn.map((bytes) => bytes.length / 2)).toEqual([32, 1, 100, 0, 8]);
  const again = derivedRandom('a');
  expect([32, 1, 100, 0, 8].map((count) => Buffer.from(again(count)).toString('hex'))).toEqual(drawn);
  const whole = drawn.join('');
  expect(new Set(whole.match(/.{16}/g)).size).toBe(Math.floor(whole.length / 16));
});
