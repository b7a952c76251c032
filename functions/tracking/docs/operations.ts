import { termsFor } from '../../kernel/accounts/rules/advocate-terms.ts';
import { example, type Operations } from '../../openapi/operation.ts';
import {
  ADVOCATE,
  ALSO_PAID,
  CHURNED_EMAIL,
  CONVERTED,
  NEWEST_ADVOCATE,
  PAID,
  PROGRAM,
  STANDARD,
} from '../../openapi/records.ts';
import { toMerchantReferral } from '../../referrals/http/referral.ts';
import { reassign } from '../../referrals/rules/referral-changes.ts';
import { parseClick, parseErasure, parseReassignment, parseStateChange, toReferralV2 } from '../http/mapping.ts';
import type { TRACKING_ROUTES } from '../http/routes.ts';
import { CLICK_BODY, ERASE_BODY, REASSIGN_BODY, REASSIGNED, STATE_BODY, TRACKED } from '../http/schema.ts';
import { CHANGED_AT, CONVERSION_OPERATIONS, changed } from './conversions.ts';

/** A click id that the demo does not contain. */
const NEW_CLICK = '019b7c01-1f00-7a4d-8b3f-2c6d9e105a73';

/** Documents the operations of this function. */
export const TRACKING_OPERATIONS: Operations<typeof TRACKING_ROUTES> = {
  ...CONVERSION_OPERATIONS,
  setState: {
    summary: 'Set the state of a referral',
    description: [
      'Reports that the customer paid (`paid`) or left (`churned`), rejects the referral (`rejected`), or restores a rejected referral that was converted before (`converted`). *States* lists the allowed transitions.',
      '',
      'Setting the current state again succeeds and changes nothing, so the request can safely be repeated. `email`, `uid` or `id` identifies the customer; if several are given, they must belong to the same referral.',
    ].join('\n'),
    body: {
      schema: STATE_BODY,
      parse: parseStateChange,
      examples: {
        payment: example('The customer paid', { uid: CONVERTED.customerUid, state: 'paid' }),
        loss: example('The customer left', { email: PAID.email, state: 'churned' }),
      },
    },
    successes: {
      200: {
        description: 'The referral in the new state.',
        schema: TRACKED,
        examples: {
          payment: example('The customer paid', { data: toReferralV2(changed(CONVERTED, 'paid')) }),
          loss: example('The customer left', { data: toReferralV2(changed(PAID, 'churned')) }),
        },
      },
    },
    errors: ['referral_not_found', 'state_refused'],
  },
  reassignReferral: {
    summary: 'Move a referral to another advocate',
    description: [
      'Moves the referral of a customer to another advocate, for example after a complaint. It gets the rate of the new advocate, and its flags are computed again. Its state, `created_at` and `commission_end_date` stay; the move is added to its history. Only a referral that converted can be moved.',
      '',
      'A referral that already belongs to the advocate stays as it is, so the request can safely be repeated.',
    ].join('\n'),
    body: {
      schema: REASSIGN_BODY,
      parse: parseReassignment,
      examples: {
        move: example('To another advocate', { uid: ALSO_PAID.customerUid, affiliate_slug: NEWEST_ADVOCATE.slug }),
      },
    },
    successes: {
      200: {
        description: 'The referral, which now belongs to the advocate.',
        schema: REASSIGNED,
        examples: {
          move: example('To another advocate', {
            data: toMerchantReferral(
              reassign(ALSO_PAID, {
                target: NEWEST_ADVOCATE,
                terms: termsFor(PROGRAM, STANDARD, NEWEST_ADVOCATE),
                actor: 'merchant',
                now: CHANGED_AT,
              }),
            ),
          }),
        },
      },
    },
    errors: ['invalid_affiliate_slug', 'referral_not_found', 'not_converted'],
  },
  eraseCustomer: {
    summary: 'Erase a customer',
    description: [
      'Erases a person: removes `email`, `uid` and `flags` of the referral, and everything else in the table that identifies the person. The state and its times stay, so that the counts stay right. Email and `uid` can be used again.',
      '',
      'By `id`, the request can be repeated: the response is 204 again. By `email` or `uid`, a repeated request returns 404, because they are no longer linked to the referral.',
    ].join('\n'),
    body: {
      schema: ERASE_BODY,
      parse: parseErasure,
      examples: { request: example('By email', { email: CHURNED_EMAIL }) },
    },
    successes: { 204: { description: 'The person is erased, by this request or by an earlier one.' } },
    errors: ['referral_not_found'],
  },
  trackClick: {
    summary: 'Track a click',
    description:
      "Records that a visitor followed an advocate's link. The tracking script sends this request; it requires no token and reveals nothing. The header `x-click` contains the outcome: for a known bot, a prefetch or an empty user agent it is `ignored`, and nothing is stored. A click that never converts is deleted after the program's attribution window (default 90 days).",
    requestHeaders: ['UserAgent'],
    body: {
      schema: CLICK_BODY,
      parse: parseClick,
      examples: {
        visit: example('A visitor followed a link', {
          pk: PROGRAM.publicKey,
          gr_id: `${ADVOCATE.slug}.${NEW_CLICK}`,
          sub_id: 'newsletter',
        }),
      },
    },
    successes: { 204: { description: '`x-click` contains the outcome.', headers: ['ClickOutcome'] } },
    errors: ['invalid_affiliate_slug'],
  },
};
