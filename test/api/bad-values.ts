import { newId } from '../support/program.ts';

/** Stands in values that an answer must not repeat. */
export const SECRET = 'sekret';

/** Values that are of another type than text, whatever the field. */
const NO_TEXT: unknown[] = [42, 0, true, false, [], [SECRET], {}, { email: SECRET }];
/** Texts that no id may be. */
const NO_ID = [
  'x'.repeat(129),
  `${SECRET}\u0000`,
  `${SECRET}\n`,
  `${SECRET}\t`,
  `${SECRET}\u007f`,
  `${SECRET}\u0085`,
  `${SECRET}\ud800`,
  `\udc00${SECRET}`,
];
/** By field of V2, what it must not be. */
export const BAD_VALUES: Record<string, unknown[]> = {
  email: [
    ...NO_TEXT,
    SECRET,
    ' ',
    `${SECRET}@localhost`,
    `${SECRET}@shop.example\r\nBcc: x@y.example`,
    `${SECRET}\ud800@shop.example`,
    `${SECRET}\u0000@shop.example`,
    `${SECRET} x@shop.example`,
    `${'a'.repeat(65)}@shop.example`,
    `a@${'b'.repeat(250)}.example`,
  ],
  uid: [...NO_TEXT, ...NO_ID],
  sub_id: [...NO_TEXT, ...NO_ID],
  affiliate_slug: [...NO_TEXT, 'x'.repeat(65), `${SECRET} x`, `${SECRET}_x`, `${SECRET}\n`, 'é', `a.${newId()}`],
  gr_id: [
    ...NO_TEXT,
    SECRET,
    newId(),
    `${SECRET}.${newId().toUpperCase()}`,
    `${SECRET}.${newId()}\n`,
    ` ${SECRET}.${newId()}`,
    `${SECRET} x.${newId()}`,
    `.${newId()}`,
    `${'x'.repeat(65)}.${newId()}`,
    `${SECRET}.00000000-0000-4000-8000-000000000000`,
  ],
  state: [...NO_TEXT, SECRET, 'clicked', 'PAID', 'paid\n', 'paid,churned'],
  pk: [...NO_TEXT, SECRET, 'pk_', `pk_${newId()}`],
};
