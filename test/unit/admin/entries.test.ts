import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { advocateParser } from '../../../bin/admin/import/advocate-entry.ts';
import { referralParser } from '../../../bin/admin/import/referral-entry.ts';
import type { Random } from '../../../functions/domain/random.ts';
import { isUuidv7 } from '../../../functions/domain/uuid.ts';
import { NOW, PROGRAM_ID, REFERRAL_ID } from '../samples.ts';

const OTHER_PROGRAM = REFERRAL_ID;

describe('what a line of advocates says', () => {
  const jane = { email: 'jane@partners.example', first_name: 'Jane', last_name: 'Doe' };
  const parse = (cells: object, program = PROGRAM_ID) => advocateParser(program, NOW)(cells);

  test('is the same in every run: id, slug and the slugs to try after it', () => {
    for (const cells of [jane, { email: jane.email }, { ...jane, created_at: '1700000000' }]) {
      expect(parse(cells)).toEqual(parse(cells));
    }
    expect(parse(jane).otherSlugs.slice(-1)).not.toEqual(parse({ ...jane, uid: '1' }).otherSlugs.slice(-1));
    expect(parse({ ...jane, slug: 'jane' })).toMatchObject({ advocate: { slug: 'jane' }, otherSlugs: [] });
  });

  test('is another advocate in another program, and with any other value', () => {
    const others = [
      { ...jane, uid: '1' },
      { ...jane, last_name: 'Do' },
      { ...jane, company: '' },
    ];
    const ids = [...others.map((cells) => parse(cells)), parse(jane), parse(jane, OTHER_PROGRAM)];
    expect(new Set(ids.map(({ advocate }) => advocate.id)).size).toBe(ids.length);
  });
});

describe('what a line of referrals says', () => {
  const click = { advocate_slug: 'jane', state: 'clicked', created_at: '1700000000' };

  test('has the id that the line gives, or one that is the same in every run', () => {
    const lines = [click, click, { ...click, id: REFERRAL_ID }, click, { ...click, sub_id: 'a' }];
    const ids = () => lines.map(referralParser(PROGRAM_ID, NOW, randomBytes)).map(({ id }) => id);
    expect(ids()).toEqual(ids());
    expect(ids()[2]).toBe(REFERRAL_ID);
    expect(new Set(ids()).size).toBe(lines.length);
    const [inOtherProgram] = lines.map(referralParser(OTHER_PROGRAM, NOW, randomBytes));
    expect(inOtherProgram?.id).not.toBe(ids()[0]);
  });

  describe('has, if it is not a click, an id of its created_at', () => {
    const ann = { advocate_slug: 'jane', state: 'paid', email: 'ann@shop.example', created_at: '1700000000' };
    const zeros = (count: number) => new Uint8Array(count);
    const idOf = (cells: object, random: Random) => referralParser(PROGRAM_ID, NOW, random)(cells).id;

    test('that is another one in every run', () => {
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
    ])('that does not depend on its %s', (_, cells) => {
      expect(idOf(cells, zeros)).toBe(idOf(ann, zeros));
    });
  });
});
