import { describe, expect, test } from '@jest/globals';
import { referralKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { addCalendarMonths, milliseconds, seconds } from '../../../functions/kernel/time.ts';
import { NO_VALUES } from '../../../functions/referrals/rules/referral-fields.ts';
import { parseReferral } from '../../../functions/referrals/table/referral-item.ts';
import { aClick, anAdvocate, newId, now } from '../../support/program.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { atTime, itemAt } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram({
  commissionPercentage: 20,
  commissionMonths: 12,
  attributionDays: 30,
});

const DAY = 24 * 60 * 60;
const clickedAt = seconds(now() - 10 * DAY);
const convertedAt = seconds(now() - 3 * DAY);
const later = atTime(table, () => milliseconds(convertedAt * 1000 + 999));

const stored = async (id: string) => {
  const item = await itemAt(table, referralKey(program.id, id));
  return item && parseReferral(item);
};

describe('clicks that convert', () => {
  test('a click becomes the referral with its id, creation time, sub id and rate, and the new customer', async () => {
    const click = await aClick(table, program, advocate, {
      createdAt: clickedAt,
      stateSetAt: clickedAt,
      updatedAt: clickedAt,
      subId: 'news',
      commissionPercentage: 7.5,
    });
    const email = anEmail();
    const by = { slug: advocate.slug, clickId: click.id };
    const result = await track(later, program, { by, email, uid: 'customer-1' });
    const complete = {
      ...NO_VALUES,
      id: click.id,
      advocateSlug: advocate.slug,
      email,
      customerUid: 'customer-1',
      state: 'converted',
      stateSetAt: convertedAt,
      createdAt: clickedAt,
      updatedAt: convertedAt,
      subId: 'news',
      commissionPercentage: 7.5,
      commissionEndDate: addCalendarMonths(convertedAt, 12),
      creditedBy: 'link',
      convertedAt,
      history: [
        { type: 'state', state: 'clicked', setAt: clickedAt, by: 'visitor' },
        { type: 'state', state: 'converted', setAt: convertedAt, by: 'merchant' },
      ],
      provider: null,
      version: 2,
    };
    expect(result).toEqual({ referral: complete, replayed: false });
    expect(await stored(click.id)).toEqual(complete);
  });

  test('a click that converts no longer expires: its item has no TTL attribute', async () => {
    const click = await aClick(table, program, advocate);
    expect(await itemAt(table, referralKey(program.id, click.id))).toHaveProperty('expires_at');
    await track(table, program, { by: { slug: advocate.slug, clickId: click.id } });
    expect(await itemAt(table, referralKey(program.id, click.id))).not.toHaveProperty('expires_at');
  });
});

describe('conversions without a usable click', () => {
  const expectNew = async (by: { slug: string; clickId: string }, at = table) => {
    const id = newId();
    const before = await stored(by.clickId);
    const earliest = Math.floor(at.clock() / 1000);
    const { referral } = await track(at, program, { by, newId: id, subId: 'own' });
    expect(referral.id).toBe(id);
    expect(referral.createdAt).toBe(referral.stateSetAt);
    expect(referral.createdAt).toBeGreaterThanOrEqual(earliest);
    expect(referral.createdAt).toBeLessThanOrEqual(at.clock() / 1000);
    expect(await stored(id)).toMatchObject({
      advocateSlug: by.slug,
      subId: 'own',
      state: 'converted',
      commissionPercentage: 20,
      commissionEndDate: addCalendarMonths(referral.createdAt, 12),
      expiresAt: null,
    });
    // The click remains unchanged, even if it belongs to another advocate.
    expect(await stored(by.clickId)).toEqual(before);
  };

  test('a conversion creates a new id if the click does not exist', () =>
    expectNew({ slug: advocate.slug, clickId: newId() }));

  test('a conversion creates a new id if the click belongs to another advocate', async () => {
    const other = await anAdvocate(table, program);
    const click = await aClick(table, program, other);
    await expectNew({ slug: advocate.slug, clickId: click.id });
  });

  test('a conversion creates a new id from the second in which the click expires, even if its item exists', async () => {
    const expiresAt = seconds(now() + DAY);
    const click = await aClick(table, program, advocate, { expiresAt });
    const by = { slug: advocate.slug, clickId: click.id };
    await expectNew(
      by,
      atTime(table, () => milliseconds(expiresAt * 1000)),
    );
    const inTime = atTime(table, () => milliseconds(expiresAt * 1000 - 1));
    expect((await track(inTime, program, { by })).referral.id).toBe(click.id);
  });
});
