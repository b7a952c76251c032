import { Option } from 'commander';
import { InvalidField } from '../../../functions/domain/errors.ts';
import { MAX_UID, parseEmail, parseGrId, parseText } from '../../../functions/domain/fields.ts';
import { valueAt } from '../../../functions/domain/json.ts';
import { IGNORED, type Ignored, MAX_PROVIDER_ID } from '../../../functions/domain/referral/payment.ts';
import { secondOf } from '../../../functions/domain/time.ts';
import { stripeOwner } from '../../../functions/secrets/secrets.ts';
import { STRIPE_EVENTS, type StripeEventType } from '../../../functions/tracking/stripe/stripe-event.ts';
import * as simulation from '../../service/stripe-simulation.ts';
import { type AdminCommand, type CliContext, decimal, jsonOrText, NEXT_LINE } from '../cli.ts';
import { adviceOn, noResponse, TIME_LIMIT } from '../doctor/request.ts';
import { Failure } from '../errors.ts';
import { renderObject } from '../output.ts';
import { type BaseUrlOptions, baseUrlOf, withBaseUrl } from '../target.ts';

type Identifiers = Partial<Record<'email' | 'uid' | 'grId' | 'customer', string>>;
type PaymentOptions = Identifiers & { readonly event: StripeEventType; readonly amount: number };

/** Stripe's largest amount, in cents (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const MAX_AMOUNT = 99_999_999;
const DEFAULT_AMOUNT = 2400;
const WRONG_SECRET =
  'The service does not accept the secret. New secrets take effect within 30 seconds: try again then. If it still fails, the service and this command use different tables: TABLE_NAME and --base-url must belong to the same stack.';

/** What a code means and what to do, for a simulated event (docs/payments.md has all causes of the real ones). */
const IGNORED_ADVICE: Readonly<Record<Ignored, string>> = {
  unknown_customer:
    'No referral has this customer. Pass the --email or --uid of a referral; or send a checkout with the --gr-id of an active advocate, and --email or --uid.',
  mismatched_customer:
    'The referral with this --email or --gr-id has another uid or another customer at Stripe. Pass its --uid or --customer; or send a checkout with the --gr-id of an active advocate and a new --email, which creates a referral.',
  no_identity:
    'The event identifies no customer, or contains too little to create a referral. Pass --email, --uid or --customer; a new referral needs --email or --uid.',
  erased: 'The person of this referral was erased. Simulate the events of another customer.',
  duplicate: 'This event was applied before. Run the command again: it sends a new event.',
  stale:
    'An event of the same customer has a later time, or the same second and a later place in the order. Wait at least one second, then run the command again.',
  refused_transition:
    'The referral cannot get this state from its current one. See its state with `referral show`, and the rules in docs/contract.md.',
  unreadable: 'The service cannot read this event. Deploy the version of the service that belongs to this command.',
  nothing_to_do:
    'The event has no effect: it has an --amount of 0, or it is a refund, which rejects a referral only after `stripe connect --on-refund reject`.',
};

/** Adds `stripe simulate`. */
export function addStripeSimulate(stripe: AdminCommand, context: CliContext): void {
  const { clock, random, environment, partsOf, errors } = context;
  const description = 'send an event to the service as Stripe does, signed with the newest secret';
  withBaseUrl(stripe.programCommand('simulate', description))
    .addOption(new Option('--event <type>', 'type of the event').choices(STRIPE_EVENTS).makeOptionMandatory())
    .option('--email <address>', "the customer's email")
    .option('--uid <uid>', "the merchant's own id of the customer, in the event's metadata")
    .option('--gr-id <value>', "value of the visitor's cookie gr_id")
    .option('--customer <id>', "Stripe's id of the customer (default: derived from the email)")
    .option('--amount <cents>', `amount in cents, 0 to ${MAX_AMOUNT}`, decimal, DEFAULT_AMOUNT)
    .examples(
      [
        `stripe simulate --program ID --event checkout.session.completed ${NEXT_LINE} --email jane@example.com --gr-id VALUE_OF_THE_COOKIE`,
        `stripe simulate --program ID --event invoice.paid ${NEXT_LINE} --email jane@example.com --json`,
      ],
      `The service applies the event: a matching referral changes. A canceled subscription
contains no email, only Stripe's customer id, which the service remembers from a checkout or an
invoice. Events with the same timestamp are ordered: converted, paid, churned, rejected. Wait at
least one second between two events. The exit status is 0 if the response is 200.`,
    )
    .onProgram(async ({ baseUrl: address, ...options }: BaseUrlOptions & PaymentOptions) => {
      const payment = parsePayment(options);
      const baseUrl = await baseUrlOf(address, environment);
      return async ({ program, table }) => {
        const { secrets } = await partsOf(table);
        const [newest] = await secrets.read(stripeOwner(program.id));
        if (!newest) throw new Failure('The program has no Stripe signing secret. Run `stripe connect` first.');
        const now = secondOf(clock());
        const event = {
          payload: simulation.simulatedEvent(payment, now, random),
          secret: newest.value,
          timestamp: now,
        };
        const sent = simulation.sendStripeEvent(simulation.stripeUrl(baseUrl, program.id), event, TIME_LIMIT);
        const { status, headers, text } = await sent.catch((error: unknown) => {
          const { message, advice } = noResponse(error, baseUrl);
          throw new Failure(`${message} ${advice}`, { cause: error });
        });
        // Other servers may respond with something other than JSON.
        const body = jsonOrText(text);
        const ignored = IGNORED.find((code) => code === valueAt(body, 'ignored'));
        if (ignored) errors.write(`${IGNORED_ADVICE[ignored]}\n`);
        const advice = status === 400 ? WRONG_SECRET : adviceOn(status, headers);
        return {
          json: { status, body },
          text: renderObject({ status, body: text }).text,
          failure: status === 200 ? undefined : new Failure(`The service responded with ${status}. ${advice}`),
        };
      };
    });
}

/** Checks the fields of a simulated event. They are sent as they were typed. Throws `InvalidField`. */
function parsePayment({ event: type, ...options }: PaymentOptions): simulation.SimulatedPayment {
  const { email = null, uid, grId = null, customer, amount } = options;
  if (email !== null) parseEmail('email', email);
  const derived = email === null ? null : simulation.simulatedCustomer(email);
  if (grId !== null) parseGrId(grId);
  if (!Number.isInteger(amount) || amount < 0 || amount > MAX_AMOUNT) {
    throw new InvalidField('amount', `must be a whole number from 0 to ${MAX_AMOUNT}`);
  }
  return {
    type,
    email,
    uid: uid === undefined ? null : parseText('uid', uid, MAX_UID),
    grId,
    customer: customer === undefined ? derived : parseText('customer', customer, MAX_PROVIDER_ID),
    amount,
  };
}
