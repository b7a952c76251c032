import type { EmailView } from '../../kernel/accounts/rules/program-fields.ts';
import { attributesIn, type KeysIn, schemasIn } from '../../kernel/fields/field-list.ts';
import { maskedEmail } from '../../kernel/fields/fields.ts';
import { NULLABLE_TEXT, TIME } from '../../kernel/fields/schemas.ts';
import { exact, resource } from '../../kernel/http/schema.ts';
import type { HistoryEntry } from '../rules/history.ts';
import type { Brought } from '../rules/money.ts';
import type { Referral } from '../rules/referral.ts';
import { REFERRAL_FIELDS } from '../rules/referral-fields.ts';
import { ACTORS, STATES } from '../rules/state.ts';
import type { FoundReferral } from '../table/customers.ts';

/** The fields of a referral that a form contains. */
export type FieldsOf<Form> = Pick<Referral, 'id' | KeysIn<typeof REFERRAL_FIELDS, Form>>;

export const LISTED_REFERRAL = /* @__PURE__ */ (() => resource('referral', schemasIn(REFERRAL_FIELDS, 'affiliate')))();
export const MERCHANT_REFERRAL = /* @__PURE__ */ (() => resource('referral', schemasIn(REFERRAL_FIELDS, 'merchant')))();

/** What every list and a lookup of V2 also return of a referral. */
const BROUGHT = {
  payments: {
    type: 'integer',
    minimum: 0,
    description: 'The number of its payments, including payments under earlier advocates. It never decreases.',
  },
  money: {
    type: 'array',
    description:
      "What it has brought its present advocate, by the code of the currency, in the currency's smallest unit. Sums have all their digits.",
    items: /* @__PURE__ */ exact({
      currency: { type: 'string', description: 'The code of ISO 4217 in lower case.' },
      revenue: { type: 'integer', description: 'Payments less refunds.' },
      commission: { type: 'integer', description: 'Commissions, less what refunds and voids took back.' },
    }),
  },
} as const;
export const REFERRAL_WITH_MONEY = /* @__PURE__ */ (() =>
  resource('referral', { ...schemasIn(REFERRAL_FIELDS, 'merchant'), ...BROUGHT }))();
export const OWN_REFERRAL_WITH_MONEY = /* @__PURE__ */ (() =>
  resource('referral', { ...schemasIn(REFERRAL_FIELDS, 'own'), ...BROUGHT }))();

const ENTRY = { set_at: TIME, by: { type: 'string', enum: ACTORS } } as const;
export const HISTORY_ENTRY = /* @__PURE__ */ (() =>
  ({
    anyOf: [
      exact({
        type: { type: 'string', const: 'state' },
        state: { type: 'string', enum: STATES },
        lost: {
          ...NULLABLE_TEXT,
          description: 'Of a conversion: the slug of the advocate whom another reference of it pointed to.',
        },
        ...ENTRY,
      }),
      exact({
        type: { type: 'string', const: 'reassignment' },
        from: { type: 'string', description: 'The slug of the advocate before the move.' },
        to: { type: 'string', description: 'The slug of the advocate after the move.' },
        ...ENTRY,
      }),
      exact({ type: { type: 'string', const: 'erasure' }, ...ENTRY }),
    ],
  }) as const)();

export const REFERRAL_DETAILS = /* @__PURE__ */ (() =>
  resource('referral', {
    ...schemasIn(REFERRAL_FIELDS, 'details'),
    ...BROUGHT,
    history: { type: 'array', items: HISTORY_ENTRY, description: 'The last 100 changes, oldest first.' },
  }))();

/** Builds the resource of a referral for its affiliate, who sees the email as the program chose. */
export function toListedReferral(referral: FieldsOf<'affiliate'>, view: EmailView) {
  const attributes = attributesIn(REFERRAL_FIELDS, 'affiliate', { ...referral, email: emailOf(referral, view) });
  return { id: referral.id, type: 'referral', attributes } as const;
}

/** Builds the resource of V2 for its affiliate. */
export function toOwnReferral(referral: FieldsOf<'own'>, view: EmailView) {
  const attributes = attributesIn(REFERRAL_FIELDS, 'own', { ...referral, email: emailOf(referral, view) });
  return { id: referral.id, type: 'referral', attributes } as const;
}

const emailOf = ({ email }: Pick<Referral, 'email'>, view: EmailView) => email && visibleEmail(email, view);

function visibleEmail(email: string, view: EmailView): string | null {
  switch (view) {
    case 'full':
      return email;
    case 'masked':
      return maskedEmail(email);
    case 'none':
      return null;
  }
}

/** Builds the resource of a referral for the merchant. */
export function toMerchantReferral(referral: FieldsOf<'merchant'>) {
  return {
    id: referral.id,
    type: 'referral',
    attributes: attributesIn(REFERRAL_FIELDS, 'merchant', referral),
  } as const;
}

/** The resource of a referral in any form. */
export interface Resource {
  readonly attributes: object;
}

/** Adds what a referral has brought to its resource. The sums are `bigint`: `exactNumbers` keeps all their digits in JSON. */
export function withMoney<Form extends Resource>({ attributes, ...resource }: Form, { payments, money }: Brought) {
  return { ...resource, attributes: { ...attributes, payments, money } };
}

/** Builds the resource of a referral with its history. */
export function toReferralDetails({ referral, brought }: FoundReferral) {
  const attributes = attributesIn(REFERRAL_FIELDS, 'details', referral);
  const history = referral.history.map(toHistoryEntry);
  return withMoney({ id: referral.id, type: 'referral', attributes: { ...attributes, history } } as const, brought);
}

/** Renders an entry of a referral's history, for lookup and command line. */
export function toHistoryEntry({ setAt: set_at, by, ...entry }: HistoryEntry) {
  const lost = entry.type === 'state' ? { lost: entry.lost ?? null } : {};
  return { ...entry, ...lost, set_at, by };
}
