import { parseQuestion, toExplanation } from '../../functions/explain/http/mapping.ts';
import { explain } from '../../functions/explain/rules/explanation.ts';
import type { Question } from '../../functions/explain/rules/verdicts.ts';
import { readFacts } from '../../functions/explain/table/facts.ts';
import { type AdminCommand, NEXT_LINE, type ProgramWork } from './cli.ts';
import { InvalidArguments } from './errors.ts';
import { flat, type Rendered, renderList, renderObject } from './output.ts';

export type CustomerOptions = Partial<
  Record<'email' | 'uid' | 'id' | 'grId' | 'code' | 'paymentId' | 'advocate', string | undefined>
>;

const EXACTLY_ONE = 'Give exactly one of --email, --uid, --id, --gr-id, --code and --payment-id.';

export function addExplainCommand(admin: AdminCommand): void {
  withCustomer(admin.programCommand('explain', 'say why a customer is credited to an advocate, or not'))
    .examples(
      [
        'explain --program ID --email customer@example.com',
        `explain --program ID --payment-id in_1042 ${NEXT_LINE} --advocate jane-doe`,
      ],
      `${EXACTLY_ONE}
docs/explain.md lists the verdicts.`,
    )
    .onProgram((options: CustomerOptions) => explanationOf(questionIn(options)));
}

/** Adds the options that identify a customer. */
export function withCustomer(command: AdminCommand): AdminCommand {
  return command
    .option('--email <address>', "the customer's email")
    .option('--uid <uid>', "the merchant's own id of the customer")
    .option('--id <id>', 'id of the referral or click')
    .option('--gr-id <value>', "value of the visitor's cookie")
    .option('--code <text>', 'a promotion code')
    .option('--payment-id <id>', 'id of a payment, such as an invoice of Stripe')
    .option('--advocate <slug>', 'slug of the advocate who should be credited');
}

/** Parses the options. Throws `InvalidArguments` or `InvalidField`. */
export function questionIn({ grId, paymentId, advocate, id, email, uid, code }: CustomerOptions): Question {
  const identifiers = { email, uid, id: id?.toLowerCase(), gr_id: grId, code, payment_id: paymentId };
  const given = Object.entries(identifiers).filter(([, value]) => value !== undefined);
  if (given.length !== 1) throw new InvalidArguments(EXACTLY_ONE);
  return parseQuestion({ ...Object.fromEntries(given), affiliate_slug: advocate });
}

/** Returns the work that explains a customer of a program. */
export function explanationOf(question: Question): ProgramWork {
  return async ({ program, table }): Promise<Rendered> => {
    const json = flat(toExplanation(program, explain(await readFacts(table, program, question))));
    const { verdict, affiliate_slug, referral_id, advice, steps } = json;
    const summary = renderObject({ verdict, affiliate_slug, referral_id }, {}, advice);
    // The name makes the text show a date.
    const rows = steps.map(({ at: happened_at, ...step }) => ({ happened_at, ...step }));
    const columns = ['happened_at', 'source', 'outcome', 'affiliate_slug', 'code', 'event_id'] as const;
    const happened = renderList(rows, columns, 'No steps are known.');
    return { json, text: (width) => `${summary.text(width)}\n${happened.text(width)}` };
  };
}
