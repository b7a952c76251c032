import { InvalidField } from '../../errors.ts';
import { choiceOf, type FieldList, fromText } from '../../fields/field-list.ts';
import { MAX_NAME } from '../../fields/fields.ts';
import { parseIban } from '../../fields/iban.ts';
import { number, oneOf, text, texts, wholeSeconds } from '../../fields/parsers.ts';
import { NULLABLE_TEXT, textInput, wholeInput } from '../../fields/schemas.ts';
import { MAX_URL, parseHttpUrl } from '../../fields/urls.ts';
import { PAGE_FIELDS, SHOWN } from './page-fields.ts';
import { MONTHS_INPUT, PERCENTAGE_INPUT } from './short-form.ts';

/** What a refund in full does: nothing, or it rejects the referral. */
export const REFUND_RULES = ['ignore', 'reject'] as const;
export type RefundRule = (typeof REFUND_RULES)[number];
/** How affiliates see the emails of customers: complete, as first character and domain, or not at all. */
export const EMAIL_VIEWS = ['full', 'masked', 'none'] as const;
export type EmailView = (typeof EMAIL_VIEWS)[number];
/** How assistants see emails: as first character and domain, or complete. */
export const ASSISTANT_EMAIL_VIEWS = ['masked', 'full'] as const;
/** What decides between a link and a promotion code of different advocates. */
export const CODE_PRIORITIES = ['link', 'code'] as const;
/** How the service derives slugs: from the names of advocates, or at random. */
export const SLUG_RULES = ['names', 'random'] as const;
/** Which payments a program gets: real payments, or payments of a provider's test mode. */
export const PROGRAM_MODES = ['live', 'test'] as const;

const LINK_PARAMETER = /^[A-Za-z0-9_-]{1,32}$/;
/** Query parameters with another meaning (docs/script.md, Attributes). */
const SCRIPT_PARAMETERS: readonly string[] = ['gr_id', 'gr_sub', 'sub_id', 'sid'];
const MAX_ORIGINS = 100;
const NO_ORIGINS: readonly string[] = [];
const MAX_ATTRIBUTION_DAYS = 3650;
const MAX_PAYABLE_DAYS = 365;
/** The longest name in a SEPA file. */
const MAX_PAYOUT_NAME = 70;

/** The resource of the API, and the output of the command line. `payouts` needs this scope in the API. */
const BOTH = ['api', 'admin'] as const;
/** What an affiliate sees of the program as its own terms. */
const TERMS = [...BOTH, 'terms'] as const;

/** A field with one of several values. A stored program without the field has the first one. */
const choice = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) => {
  const empty: Values[number] = values[0];
  const schema = { type: 'string', enum: values, description } as const;
  return {
    stored: { parse: oneOf<Values[number]>(values), empty },
    schema,
    input: { schema, parse: choiceOf<Values[number]>(values), rejectsNull: true },
  } as const;
};

const MODE = choice(PROGRAM_MODES, 'Whether the program gets `live` payments, or payments of a `test` mode.');

/** Everything that the service knows of each field of a program, in the order of its resource. */
export const PROGRAM_FIELDS = {
  /** UUIDv7. */
  id: { attribute: 'id', stored: { parse: text }, forms: ['admin'] },
  name: {
    attribute: 'name',
    stored: { parse: text },
    schema: { type: 'string' },
    forms: SHOWN,
    input: textInput(MAX_NAME, { examples: ['Example Shop'] }),
  },
  siteUrl: {
    attribute: 'site_url',
    stored: { parse: text },
    schema: { type: 'string' },
    forms: SHOWN,
    input: {
      schema: {
        type: 'string',
        maxLength: MAX_URL,
        description: "The merchant's site, the target of all referral links: an http or https address.",
        examples: ['https://example.com/'],
      },
      parse: fromText(parseHttpUrl),
    },
  },
  /** Not a secret: web pages contain it. */
  publicKey: {
    attribute: 'public_key',
    stored: { parse: text },
    schema: { type: 'string', description: 'The key with which pages record clicks. It is no secret.' },
    forms: SHOWN,
  },
  /** Query parameter that carries an advocate's slug in links to the site. */
  linkParameter: {
    attribute: 'link_parameter',
    stored: { parse: text, empty: 'via' },
    schema: { type: 'string' },
    forms: SHOWN,
    input: {
      schema: {
        type: 'string',
        pattern: LINK_PARAMETER.source,
        description:
          'The query parameter of referral links: 1 to 32 letters, digits, hyphens or underscores, but no parameter of the script (`gr_id`, `gr_sub`, `sub_id`, `sid`). Published links keep the old one.',
        examples: ['via'],
      },
      parse: fromText(parseLinkParameter),
      rejectsNull: true,
    },
  },
  /** Days after which a click that never converted is deleted. */
  attributionDays: {
    attribute: 'attribution_days',
    stored: { parse: number, empty: 90 },
    schema: { type: 'integer' },
    forms: TERMS,
    input: {
      ...wholeInput(1, MAX_ATTRIBUTION_DAYS, {
        description: 'Days after which a click that never converted is deleted, for clicks from now on.',
        examples: [90],
      }),
      rejectsNull: true,
    },
  },
  /** In percent; `null` if no rate is set. */
  commissionPercentage: {
    attribute: 'rate',
    stored: { parse: number, empty: null },
    name: 'commission_percentage',
    schema: { type: ['number', 'null'] },
    forms: TERMS,
    input: PERCENTAGE_INPUT,
  },
  /** Calendar months for which a conversion earns a commission; `null` if it never ends. */
  commissionMonths: {
    attribute: 'commission_months',
    stored: { parse: number, empty: null },
    schema: { type: ['integer', 'null'] },
    forms: TERMS,
    input: MONTHS_INPUT,
  },
  /** The id of the rules that replace the rate; `null` with a rate, or without terms. */
  commissionRulesId: {
    attribute: 'rules',
    stored: { parse: text, empty: null },
    name: 'commission_rules_id',
    schema: { ...NULLABLE_TEXT, description: 'The id of the rules that replace the percentage.' },
    forms: TERMS,
  },
  /** Days after a payment from which its commission is payable. */
  payableAfterDays: {
    attribute: 'payable_after_days',
    stored: { parse: number, empty: 0 },
    schema: { type: 'integer' },
    forms: TERMS,
    input: {
      ...wholeInput(0, MAX_PAYABLE_DAYS, {
        description: 'Days after a payment from which its commission is payable.',
        examples: [30],
      }),
      rejectsNull: true,
    },
  },
  /** In lower case. Pages of these origins may send conversions with the public key. */
  allowedOrigins: {
    attribute: 'allowed_origins',
    stored: { parse: texts, empty: NO_ORIGINS },
    schema: { type: 'array', items: { type: 'string' } },
    forms: BOTH,
    input: {
      schema: {
        type: 'array',
        items: { type: 'string' },
        description: 'The origins whose pages may send conversions. The list is replaced as a whole; `[]` clears it.',
        examples: [['https://www.example.com']],
      },
      parse: parseOrigins,
      rejectsNull: true,
    },
  },
  affiliatesSeeEmail: {
    attribute: 'affiliates_see_email',
    ...choice(
      EMAIL_VIEWS,
      'How affiliates see the emails of customers: `full`, `masked` (`v***@example.com`) or `none` (`null`).',
    ),
    forms: BOTH,
  },
  assistantsSeeEmail: {
    attribute: 'assistants_see_email',
    ...choice(
      ASSISTANT_EMAIL_VIEWS,
      'How assistants see emails, at `POST /mcp`: `masked` (`v***@example.com`) or `full`.',
    ),
    forms: BOTH,
  },
  codePriority: {
    attribute: 'code_priority',
    ...choice(
      CODE_PRIORITIES,
      'Who is credited if the `gr_id` and the promotion code of a conversion belong to different advocates: the advocate of the `link`, or of the `code`.',
    ),
    forms: BOTH,
  },
  slugs: {
    attribute: 'slugs',
    ...choice(SLUG_RULES, 'How slugs of new advocates are derived: from `names`, or 8 `random` characters.'),
    forms: BOTH,
  },
  mode: {
    attribute: 'mode',
    ...MODE,
    input: { ...MODE.input, isFixed: true },
    forms: SHOWN,
  },
  /** Who pays the advocates, in files for banks. */
  payoutName: {
    attribute: 'payout_name',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: [...BOTH, 'payouts'],
    input: textInput(MAX_PAYOUT_NAME, {
      description: 'Whose account pays advocates by bank. Requires the scope `payouts`.',
    }),
  },
  payoutIban: {
    attribute: 'payout_iban',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: [...BOTH, 'payouts'],
    input: {
      schema: {
        type: 'string',
        description: 'The IBAN of this account. Likewise.',
        examples: ['DE02 1203 0000 0000 2020 51'],
      },
      parse: fromText(parseIban),
    },
  },
  ...PAGE_FIELDS,
  /** What a refund in full that Stripe reports does. */
  onRefund: {
    attribute: 'on_refund',
    ...choice(REFUND_RULES, 'What a refund in full that Stripe reports does.'),
    forms: ['admin'],
  },
  createdAt: { attribute: 'created_at', stored: { parse: wholeSeconds }, forms: ['admin'] },
} as const satisfies FieldList;

function parseLinkParameter(field: string, text: string): string {
  if (!LINK_PARAMETER.test(text)) {
    throw new InvalidField(field, 'must be 1 to 32 letters, digits, hyphens or underscores');
  }
  if (SCRIPT_PARAMETERS.includes(text)) {
    throw new InvalidField(
      field,
      `must not be ${SCRIPT_PARAMETERS.join(', ')}, which the script reads: choose another one`,
    );
  }
  return text;
}

function parseOrigins(field: string, value: unknown): readonly string[] {
  const origins = texts(value);
  if (!origins || origins.length > MAX_ORIGINS)
    throw new InvalidField(field, `must be a list of at most ${MAX_ORIGINS} origins`);
  return origins.map((origin) => {
    if (!URL.canParse(origin) || !/^https?:/i.test(origin) || new URL(origin).origin !== origin.toLowerCase()) {
      throw new InvalidField(field, 'must be origins such as https://www.example.com, without a path');
    }
    return origin.toLowerCase();
  });
}
