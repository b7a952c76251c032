import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Cells } from '../../../bin/admin/csv.ts';
import { advocateParser } from '../../../bin/admin/import/advocates.ts';
import { referralIds, referralParser } from '../../../bin/admin/import/referrals.ts';
import { isUuidv7, type Random } from '../../../functions/domain/ids.ts';
import { NOW, PROGRAM_ID, REFERRAL_ID, refusal } from '../../unit/samples.ts';

const OTHER_PROGRAM = REFERRAL_ID;

describe('lines of advocates', () => {
  const jane = { email: 'jane@partners.example', first_name: 'Jane', last_name: 'Doe' };
  const parse = (cells: Cells) => advocateParser({ id: PROGRAM_ID, slugs: 'names' }, NOW, randomBytes)(cells);
  const slugsOf = (lines: Cells[], program = PROGRAM_ID) =>
    lines
      .map(advocateParser({ id: program, slugs: 'names' }, NOW, randomBytes))
      .map(({ advocate, otherSlugs }) => [advocate.slug, ...otherSlugs]);

  test('a line of advocates has the same candidate slugs in every run, and others have other slugs', () => {
    const nameless = { email: jane.email };
    const lines = [jane, nameless, { ...jane, slug: 'jane' }, { ...jane, uid: '1' }, jane];
    const slugs = slugsOf(lines);
    expect(slugsOf(lines)).toEqual(slugs);
    expect(slugs[2]).toEqual(['jane']);
    expect(slugs[4]).toEqual(slugs[0]);
    const last = [...slugs.slice(0, 4), ...slugsOf(lines.slice(0, 2), OTHER_PROGRAM)].map((all) => all.at(-1));
    expect(new Set(last).size).toBe(6);
  });

  test('a line of advocates has the same candidate slugs after a line above it is repaired', () => {
    const nameless = { email: jane.email };
    const slugBelow = (createdAt: string) => {
      const parseLine = advocateParser({ id: PROGRAM_ID, slugs: 'names' }, NOW, randomBytes);
      const above = () => parseLine({ ...nameless, created_at: createdAt });
      return { problem: refusal(above), slug: parseLine(nameless).advocate.slug };
    };
    const invalid = slugBelow('10/01/2025 00:00');
    expect(invalid.problem).toContain('created_at must');
    expect(slugBelow('2025-10-01 00:00:00 UTC')).toEqual({ slug: invalid.slug });
  });

  test('a line of advocates has slugs that reveal nothing about the email and the uid', () => {
    const someone = { email: 'someone@partners.example', uid: '1' };
    expect(slugsOf([someone])).toEqual(slugsOf([{ email: 'else@partners.example', uid: '2' }]));
  });

  test('a line of advocates has an id with its created_at that differs in every run', () => {
    const ids = Array.from({ length: 2 }, () => parse({ ...jane, created_at: '1700000000' }).advocate.id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.filter((id) => !isUuidv7(id) || !id.startsWith('018bcfe5-6800-'))).toEqual([]);
  });
});

describe('lines of referrals', () => {
  const click = { advocate_slug: 'jane', state: 'clicked', created_at: '1700000000' };
  /** The ids of the lines of one file. All lines name the advocate "jane". */
  const idsOf = (lines: Cells[], program = PROGRAM_ID, random: Random = randomBytes) => {
    const idOf = referralIds(program, random);
    return lines.map(referralParser(NOW)).map((row) => idOf(row, 'jane'));
  };

  test('a line of referrals has the id in the line, or an id that is the same in every run', () => {
    const lines = [click, click, { ...click, id: REFERRAL_ID }, click, { ...click, sub_id: 'a' }];
    const ids = idsOf(lines);
    expect(idsOf(lines)).toEqual(ids);
    expect(ids[2]).toBe(REFERRAL_ID);
    expect(new Set(ids).size).toBe(lines.length);
    const [inOtherProgram] = idsOf(lines, OTHER_PROGRAM);
    expect(inOtherProgram).not.toBe(ids[0]);
  });

  test('a click has an id that does not depend on how its line identifies its advocate', () => {
    const { advocate_slug: _, ...nameless } = click;
    const ids = [
      click,
      { ...nameless, advocate_email: 'jane@partners.example' },
      { ...nameless, advocate_uid: '4711' },
      { ...click, advocate_email: 'jane@partners.example', advocate_uid: '' },
    ].flatMap((line) => idsOf([line]));
    expect(new Set(ids)).toEqual(new Set(idsOf([click])));
  });

  test('a click has an id that does not depend on a column for customers at Stripe', () => {
    expect(idsOf([{ ...click, stripe_customer: '' }])).toEqual(idsOf([click]));
  });

  describe('ids of referrals with their created_at', () => {
    const ann = { advocate_slug: 'jane', state: 'paid', email: 'ann@shop.example', created_at: '1700000000' };
    const zeros = (count: number) => new Uint8Array(count);
    const idOf = (cells: Cells, random: Random) => idsOf([cells], PROGRAM_ID, random)[0] ?? '';

    test('an id with its created_at differs in every run', () => {
      const ids = Array.from({ length: 100 }, () => idOf(ann, randomBytes));
      expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(100);
      expect(ids.filter((id) => !isUuidv7(id) || !id.startsWith('018bcfe5-6800-'))).toEqual([]);
    });

    test.each([
      ['email', { ...ann, email: 'bob@shop.example' }],
      ['uid', { ...ann, uid: 'cus_1' }],
      ['advocate', { ...ann, advocate_slug: 'joe' }],
      ['state', { ...ann, state: 'rejected' }],
      ['sub id', { ...ann, sub_id: 'spring' }],
    ])('an id with its created_at does not depend on its %s', (_, cells) => {
      expect(idOf(cells, zeros)).toBe(idOf(ann, zeros));
    });
  });
});
