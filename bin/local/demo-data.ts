import { createHash } from 'node:crypto';
import { type Advocate, newAdvocate } from '../../functions/domain/advocate.ts';
import { slugFromNames } from '../../functions/domain/fields.ts';
import { type Random, uuidv7 } from '../../functions/domain/ids.ts';
import { newProgram, type Program, type ProgramFields } from '../../functions/domain/program.ts';
import { convertClick, newClick, type Referral, setState } from '../../functions/domain/referral.ts';
import type { State } from '../../functions/domain/state.ts';
import { DAY, milliseconds, type Seconds, seconds } from '../../functions/domain/time.ts';

/** A program with its people, as the demo stores it. */
export interface DemoProgram {
  readonly program: Program;
  readonly advocates: readonly Advocate[];
  readonly referrals: readonly Referral[];
}

/** The demo's two years, in Unix seconds: fixed, so that every first start makes the same. */
const BEGIN = Date.UTC(2024, 10, 1) / 1000;
const END = Date.UTC(2026, 10, 1) / 1000;

const PROGRAMS: { fields: ProgramFields; advocates: number; referrals: number }[] = [
  {
    fields: {
      name: 'Northwind Coffee',
      siteUrl: 'https://northwind.example/',
      linkParameter: null,
      commissionPercentage: 20,
      commissionMonths: 12,
      attributionDays: null,
      allowedOrigins: ['https://northwind.example'],
    },
    advocates: 24,
    referrals: 360,
  },
  {
    fields: {
      name: 'Lighthouse Analytics',
      siteUrl: 'https://lighthouse.example/pricing',
      linkParameter: 'ref',
      commissionPercentage: null,
      commissionMonths: null,
      attributionDays: 30,
      allowedOrigins: [],
    },
    advocates: 12,
    referrals: 120,
  },
];

const FIRST_NAMES = [
  'Amara',
  'Björn',
  'Chloé',
  'Diego',
  'Elif',
  'Farid',
  'Grace',
  'Hana',
  'Ivan',
  'Jane',
  'Kofi',
  'Lena',
];
const LAST_NAMES = ['Okafor', 'Lindqvist', 'Moreau', 'Santos', 'Kaya', 'Haddad', 'Nguyen', 'Sato', 'Petrov', 'Doe'];
const SUB_IDS = [null, 'newsletter', 'youtube', 'podcast', 'blog-2025'];
/** States in the shares in which the demo has them. */
const STATE_SHARES: readonly State[] = [
  'clicked',
  'clicked',
  'clicked',
  'converted',
  'converted',
  'paid',
  'paid',
  'paid',
  'churned',
  'rejected',
];

/** Makes the demo's programs: the same at every call. */
export function demoPrograms(): DemoProgram[] {
  return PROGRAMS.map(({ fields, advocates: count, referrals }, number) => {
    const chance = new Chance(`referral-tracking demo ${number}`);
    const program = newProgram(fields, chance.id(BEGIN), seconds(BEGIN));
    const advocates = Array.from({ length: count }, (_, index) => demoAdvocate(chance, index));
    return {
      program,
      advocates,
      referrals: Array.from({ length: referrals }, (_, index) => demoReferral(chance, program, advocates, index)),
    };
  });
}

function demoAdvocate(chance: Chance, index: number): Advocate {
  const firstName = FIRST_NAMES[index % FIRST_NAMES.length] ?? 'Jane';
  const lastName = LAST_NAMES[(index * 7) % LAST_NAMES.length] ?? 'Doe';
  const slug = slugFromNames(firstName, lastName);
  const at = seconds(BEGIN + index * DAY);
  const hasCompany = index % 5 === 0;
  const fields = {
    email: `${slug}@partners.example`,
    firstName,
    lastName,
    slug,
    uid: index % 3 === 0 ? `partner-${index + 1}` : null,
    companyId: hasCompany ? `company-${index + 1}` : null,
    company: hasCompany ? `${lastName} Media` : null,
    commissionPercentage: index % 6 === 0 ? 30 : null,
  };
  return newAdvocate(fields, chance.id(at), at);
}

function demoReferral(chance: Chance, program: Program, advocates: readonly Advocate[], index: number): Referral {
  // The first advocate, whose token is printed, brings a third of all: enough for several pages.
  const advocate = advocates[index % 3 === 0 ? 0 : chance.below(advocates.length)] ?? chance.pick(advocates);
  const clickedAt = BEGIN + 40 * DAY + chance.below(END - BEGIN - 40 * DAY);
  const subId = chance.pick(SUB_IDS);
  // A real click is deleted after the attribution window: the demo's stay, or it would be another one each day.
  const click = {
    ...newClick(program, advocate, { id: chance.id(clickedAt), subId }, seconds(clickedAt)),
    expiresAt: null,
  };
  const state = STATE_SHARES[index % STATE_SHARES.length] ?? 'clicked';
  if (state === 'clicked') return click;
  const customer = { email: `customer-${index + 1}@shop.example`, uid: `customer-${index + 1}` };
  const convertedAt = beforeEnd(clickedAt + chance.below(3 * DAY));
  const converted = convertClick(
    click,
    program,
    { customer, subId: null, by: 'merchant', idempotencyRecord: null },
    convertedAt,
  );
  if (state === 'converted') return converted;
  const changedAt = beforeEnd(convertedAt + DAY + chance.below(60 * DAY));
  return setState(converted, state, 'merchant', changedAt);
}

function beforeEnd(second: number): Seconds {
  return seconds(Math.min(second, END - 1));
}

/** Chance that is always the same: bytes of SHA-256 over a seed and a count. */
class Chance {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  readonly bytes: Random = (length) => {
    this.#count += 1;
    return createHash('sha256').update(`${this.#seed} ${this.#count}`).digest().subarray(0, length);
  };

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Buffer.from(this.bytes(6)).readUIntBE(0, 6) % limit;
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new RangeError('nothing to pick from');
    return value;
  }

  /** A UUIDv7 of the given second. */
  id(second: number): string {
    return uuidv7(milliseconds(second * 1000), this.bytes);
  }
}
