import type { EmailView } from '../../kernel/accounts/rules/program-fields.ts';
import { attributesIn, type KeysIn, schemasIn } from '../../kernel/fields/field-list.ts';
import { maskedEmail } from '../../kernel/fields/fields.ts';
import { TIME } from '../../kernel/fields/schemas.ts';
import { exact, resource } from '../../kernel/http/schema.ts';
import type { HistoryEntry } from '../rules/history.ts';
import type { Referral } from '../rules/referral.ts';
import { REFERRAL_FIELDS } from '../rules/referral-fields.ts';
import { ACTORS, STATES } from '../rules/state.ts';

/** The fields of a referral that a form contains. */
export type FieldsOf<Form> = Pick<Referral, 'id' | KeysIn<typeof REFERRAL_FIELDS, Form>>;

export const LISTED_REFERRAL = /* @__PURE__ */ (() => resource('referral', schemasIn(REFERRAL_FIELDS, 'affiliate')))();
export const MERCHANT_REFERRAL = /* @__PURE__ */ (() => resource('referral', schemasIn(REFERRAL_FIELDS, 'merchant')))();

const ENTRY = { set_at: TIME, by: { type: 'string', enum: ACTORS } } as const;
export const HISTORY_ENTRY = /* @__PURE__ */ (() =>
  ({
    anyOf: [
      exact({ type: { type: 'string', const: 'state' }, state: { type: 'string', enum: STATES }, ...ENTRY }),
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
    history: { type: 'array', items: HISTORY_ENTRY, description: 'The last 100 changes, oldest first.' },
  }))();

/** Builds the resource of a referral for its affiliate, who sees the email as the program chose. */
export function toListedReferral(referral: FieldsOf<'affiliate'>, view: EmailView) {
  const seen = { ...referral, email: referral.email && visibleEmail(referral.email, view) };
  return { id: referral.id, type: 'referral', attributes: attributesIn(REFERRAL_FIELDS, 'affiliate', seen) } as const;
}

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

/** Builds the resource of a referral with its history. */
export function toReferralDetails(referral: Referral) {
  const attributes = attributesIn(REFERRAL_FIELDS, 'details', referral);
  const history = referral.history.map(toHistoryEntry);
  return { id: referral.id, type: 'referral', attributes: { ...attributes, history } } as const;
}

/** Renders an entry of a referral's history, for lookup and command line. */
export function toHistoryEntry({ setAt: set_at, by, ...entry }: HistoryEntry) {
  return { ...entry, set_at, by };
}
