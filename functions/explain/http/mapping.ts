import { parseCode } from '../../kernel/accounts/rules/code.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { InvalidField } from '../../kernel/errors.ts';
import { MAX_UID, parseEmail, parseGrId, parseSlug, parseText } from '../../kernel/fields/fields.ts';
import { validBody } from '../../kernel/http/validation.ts';
import { parseId } from '../../kernel/ids.ts';
import { parseEntryId } from '../../ledger/rules/entry-id.ts';
import type { Explanation } from '../rules/explanation.ts';
import { IDENTIFIERS, type Question } from '../rules/verdicts.ts';
import type { ExplanationResource } from './schema.ts';
import { explainBody } from './validators.js';

const PARSERS: Readonly<Record<Question['by'], (text: string) => string>> = {
  email: (text) => parseEmail('email', text),
  uid: (text) => parseText('uid', text, MAX_UID),
  id: (text) => parseId('id', text),
  gr_id: (text) => parseGrId(text).clickId,
  code: (text) => parseCode('code', text),
  payment_id: (text) => parseEntryId('payment_id', text),
};

/** Parses a question: exactly one identifier, and the advocate who should be credited. Throws `InvalidField`. */
export function parseQuestion(json: unknown): Question {
  const body = validBody(json, explainBody);
  const slug = body.affiliate_slug === undefined ? null : parseSlug('affiliate_slug', body.affiliate_slug);
  const [question, other] = IDENTIFIERS.flatMap((by) => {
    const text = body[by];
    return text === undefined ? [] : [{ by, value: PARSERS[by](text), slug }];
  });
  if (other) throw new InvalidField(other.by, 'cannot be combined with another identifier: send only one');
  // The schema requires one.
  if (!question) throw new InvalidField(IDENTIFIERS.join(', '), 'is required');
  return question;
}

/** Builds the resource of an explanation. */
export function toExplanation({ id }: Pick<Program, 'id'>, explanation: Explanation): ExplanationResource {
  const { verdict, advice, referralId, advocateSlug, steps } = explanation;
  return {
    id: referralId ?? id,
    type: 'explanation',
    attributes: {
      verdict,
      advice,
      referral_id: referralId,
      affiliate_slug: advocateSlug,
      steps: steps.map((step) => ({
        at: step.at,
        source: step.source,
        outcome: step.outcome,
        affiliate_slug: step.advocateSlug,
        code: step.code,
        event_id: step.eventId,
      })),
    },
  };
}
