import { Option } from 'commander';
import { parseCode, parsePromotionId } from '../../../functions/kernel/accounts/rules/code.ts';
import { REFUND_RULES, type RefundRule } from '../../../functions/kernel/accounts/rules/program-fields.ts';
import { InvalidField } from '../../../functions/kernel/errors.ts';
import { MAX_UID, parseEmail, parseGrId, parseSlug, parseText } from '../../../functions/kernel/fields/fields.ts';
import { valueAt } from '../../../functions/kernel/json.ts';
import { stripeOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { secondOf } from '../../../functions/kernel/time.ts';
import { MAX_PROVIDER_ID } from '../../../functions/referrals/rules/provider-changes.ts';
import { connectStripe, disconnectStripe, findStripe, parseSecret } from '../../../functions/stripe/http/connection.ts';
import { toStripe } from '../../../functions/stripe/http/mapping.ts';
import * as simulation from '../../../functions/stripe/operator/simulation.ts';
import { STRIPE_EVENTS, type StripeEventType } from '../../../functions/stripe/rules/event-types.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, type ProgramWork, readLine } from '../cli.ts';
import { adviceOn, noResponse, TIME_LIMIT } from '../doctor/request.ts';
import { Failure, InvalidArguments } from '../errors.ts';
import * as option from '../options.ts';
import { renderObject } from '../output.ts';
import { type BaseUrlOptions, baseUrlOf, findBaseUrl, withBaseUrl } from '../target.ts';

type Identifiers = Partial<Record<'email' | 'uid' | 'grId' | 'customer', string>>;
type PaymentOptions = Identifiers & {
  readonly event: StripeEventType;
  readonly amount: number;
  readonly tax: number;
  readonly currency: string;
  readonly refunded?: number;
  readonly payment?: string;
  readonly promotionCode?: string;
  readonly code?: string;
  readonly affiliateSlug?: string;
};

/** Stripe's largest amount, in the currency's smallest unit (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const MAX_AMOUNT = 99_999_999;
const DEFAULT_AMOUNT = 2400;
/** Stripe's ids have at most 255 characters, with their prefix. */
const MAX_PAYMENT = 100;
const AMOUNT = `amount with tax, in cents, 0 to ${MAX_AMOUNT}`;
const CUSTOMER = "Stripe's id of the customer (default: derived from the email)";
const OF_PROMOTIONS =
  '--code and --affiliate-slug are options of promotion_code.created and promotion_code.updated. A checkout has --promotion-code.';
const PROMOTION = "Stripe's id of the promotion code of a checkout, or to create (promo_…)";
const PAYMENT = 'end of the ids of invoice, payment intent, charge and dispute (default: new ids)';
const WRONG_SECRET =
  'The service does not accept the secret. New secrets take effect within 30 seconds: try again then. If it still fails, the service and this command use different tables: TABLE_NAME and --base-url must belong to the same stack.';
const IGNORED = 'The event is ignored: docs/payments.md (What the responses mean) says what to do.';

const CHANGED = 'The change takes effect within 30 seconds.';
const ON_REFUND = 'effect of a full refund on the referral (default: keep the current setting)';

export function addStripeCommands(admin: AdminCommand, context: CliContext): void {
  const stripe = admin.command('stripe').description('payments and cancellations that Stripe reports to the service');
  addConnect(stripe, context);
  withBaseUrl(stripe.programCommand('show', 'show the URL of the endpoint, and how many secrets are valid')).onProgram(
    changing(context, findStripe),
  );
  withBaseUrl(stripe.programCommand('disconnect', 'remove all secrets: every event from Stripe is rejected'))
    .remarks('Delete or disable the endpoint at Stripe first: Stripe repeats rejected events for days.')
    .onProgram(changing(context, disconnectStripe, CHANGED));
  addSimulate(stripe, context);
}

function addConnect(stripe: AdminCommand, context: CliContext): void {
  withBaseUrl(stripe.programCommand('connect', 'accept the events of an endpoint at Stripe'))
    .requiredOption('--secret <secret>', 'signing secret of the endpoint, or - to read it from standard input')
    .addOption(new Option('--on-refund <effect>', ON_REFUND).choices(REFUND_RULES))
    .examples(
      [
        'stripe connect --program ID --secret - < secret.txt',
        `stripe connect --program ID --secret - --on-refund reject ${NEXT_LINE} --base-url https://api.example.com --json`,
      ],
      `Stripe shows the secret once the endpoint exists. Its URL is the address of the service, followed by
/v2/integrations/stripe/ and the id of the program. The two newest secrets are valid, so that a
secret can be replaced without a gap.`,
    )
    .onProgram(async ({ onRefund, ...options }: BaseUrlOptions & { secret: string; onRefund?: RefundRule }) => {
      const baseUrl = await baseUrlOf(options.baseUrl, context.environment);
      const secret = parseSecret(await readSecret(options.secret, context));
      const connect: Change = (stores, program) => connectStripe(stores, program, { secret, onRefund });
      return changing(context, connect, CHANGED)({ baseUrl });
    });
}

type Change = typeof findStripe;

function changing({ environment, serviceAccess }: CliContext, change: Change, remark?: string) {
  return async (options: BaseUrlOptions): Promise<ProgramWork> => {
    const baseUrl = await findBaseUrl(options.baseUrl, environment);
    return async ({ program, table }) => {
      const { secrets } = await serviceAccess(table);
      const { id, attributes } = toStripe(await change({ table, secrets }, program), '').data;
      const url = baseUrl === undefined ? null : simulation.stripeUrl(baseUrl, id);
      return renderObject({ id, ...attributes, url }, {}, remark);
    };
  };
}

/** Reads the secret from standard input for `-`: there, neither the shell's history nor the list of processes has it. */
async function readSecret(option: string, context: CliContext): Promise<string> {
  if (option !== '-') return option;
  const line = await readLine(context, 'Paste the secret and press Enter: ');
  if (line !== '') return line;
  throw new InvalidArguments('--secret - reads one line from standard input. Write only the secret to it.');
}

function addSimulate(stripe: AdminCommand, context: CliContext): void {
  const { clock, random, environment, serviceAccess, errors } = context;
  const description = 'send an event to the service as Stripe does, signed with the newest secret';
  withBaseUrl(stripe.programCommand('simulate', description))
    .addOption(new Option('--event <type>', 'type of the event').choices(STRIPE_EVENTS).makeOptionMandatory())
    .option('--email <address>', "the customer's email", (text) => asTyped(text, parseEmail('email', text)))
    .option('--uid <uid>', "the merchant's own id of the customer, in the event's metadata", textOf('uid', MAX_UID))
    .option('--gr-id <value>', "value of the visitor's cookie gr_id", (text) => asTyped(text, parseGrId(text)))
    .option('--customer <id>', CUSTOMER, textOf('customer', MAX_PROVIDER_ID))
    .option('--amount <cents>', AMOUNT, option.whole('amount', MAX_AMOUNT, 0), DEFAULT_AMOUNT)
    .option('--tax <cents>', 'the part of the amount of a checkout or an invoice that is tax', option.decimal, 0)
    .option('--currency <code>', 'currency of the amounts', option.currency, 'usd')
    .option('--refunded <cents>', 'what is refunded of the charge in all (default: the amount)', option.decimal)
    .option('--payment <text>', PAYMENT, textOf('payment', MAX_PAYMENT))
    .option('--promotion-code <id>', PROMOTION, (text) => parsePromotionId('promotion_code', text))
    .option('--code <text>', 'the text of the promotion code', (text) => asTyped(text, parseCode('code', text)))
    .option('--affiliate-slug <slug>', "the slug in the promotion code's metadata", (text) =>
      parseSlug('affiliate_slug', text),
    )
    .examples(
      [
        `stripe simulate --program ID --event checkout.session.completed ${NEXT_LINE} --email jane@example.com --gr-id VALUE_OF_THE_COOKIE`,
        `stripe simulate --program ID --event invoice.paid ${NEXT_LINE} --email jane@example.com --json`,
        `stripe simulate --program ID --event invoice.paid ${NEXT_LINE} --uid 4711 --payment 1001 --amount 2856 --tax 456 --currency eur`,
        'stripe simulate --program ID --event invoice_payment.paid --payment 1001',
        'stripe simulate --program ID --event charge.refunded --payment 1001 --refunded 600',
        `stripe simulate --program ID --event promotion_code.created ${NEXT_LINE} --promotion-code promo_1 --code JANE20 --affiliate-slug jane-doe`,
        `stripe simulate --program ID --event charge.dispute.funds_withdrawn ${NEXT_LINE} --payment 1001 --amount 1800`,
      ],
      `The service applies the event: a matching referral changes. A canceled subscription
contains no email, only Stripe's customer id, which the service remembers from a checkout or an
invoice. Events with the same timestamp are ordered: converted, paid, churned, rejected. Wait at
least one second between two events. Events with the same --payment belong together: the invoice,
its payment intent, and the charge that is refunded or disputed. The exit status is 0 if the
response is 200.`,
    )
    .onProgram(async ({ baseUrl: address, ...options }: BaseUrlOptions & PaymentOptions) => {
      const payment = parsePayment(options);
      const baseUrl = await baseUrlOf(address, environment);
      return async ({ program, table }) => {
        const { secrets } = await serviceAccess(table);
        const [newest] = await secrets.read(stripeOwner(program.id));
        if (!newest) throw new Failure('The program has no Stripe signing secret. Run `stripe connect` first.');
        const now = secondOf(clock());
        const payload = simulation.simulatedEvent({ ...payment, mode: program.mode }, now, random);
        const event = { payload, secret: newest.value, timestamp: now };
        const sent = simulation.sendStripeEvent(simulation.stripeUrl(baseUrl, program.id), event, TIME_LIMIT);
        const { status, headers, text } = await sent.catch((error: unknown) => {
          const { message, advice } = noResponse(error, baseUrl);
          throw new Failure(`${message} ${advice}`, { cause: error });
        });
        // Other servers may respond with something other than JSON.
        const body = option.jsonOrText(text);
        if (valueAt(body, 'ignored') !== undefined) errors.write(`${IGNORED}\n`);
        const advice = status === 400 ? WRONG_SECRET : adviceOn(status, headers);
        return {
          json: { status, body },
          text: renderObject({ status, body: text }).text,
          failure: status === 200 ? undefined : new Failure(`The service responded with ${status}. ${advice}`),
        };
      };
    });
}

const textOf = (name: string, max: number) => (text: string) => parseText(name, text, max);

/** The text of an option that is sent as it was typed. */
const asTyped = (text: string, _parsed: unknown) => text;

/** Returns the fields of a simulated event. Throws `InvalidField`. */
function parsePayment({ event: type, ...options }: PaymentOptions): Omit<simulation.SimulatedPayment, 'mode'> {
  const { email = null, uid = null, grId = null, amount, tax, refunded = amount, currency, payment = null } = options;
  const { promotionCode = null, code = null, affiliateSlug = null } = options;
  if ((code ?? affiliateSlug) !== null && !type.startsWith('promotion_code.'))
    throw new InvalidArguments(OF_PROMOTIONS);
  for (const [name, part] of Object.entries({ refunded, tax })) {
    if (Number.isInteger(part) && part >= 0 && part <= amount) continue;
    throw new InvalidField(name, 'must be a whole number from 0 to the amount');
  }
  const customer = options.customer ?? (email === null ? null : simulation.simulatedCustomer(email));
  const promotion = { promotionCode, code, affiliateSlug };
  return { type, email, uid, grId, customer, amount, tax, refunded, currency, payment, ...promotion };
}
