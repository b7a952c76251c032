import { Option } from 'commander';
import { REFUND_RULES, type RefundRule } from '../../../functions/domain/program.ts';
import { rotateSecret, stripeOwner } from '../../../functions/secrets/secrets.ts';
import { updateProgram } from '../../../functions/table/operator/programs.ts';
import { stripeUrl } from '../../service/stripe-simulation.ts';
import { type BaseUrlOptions, baseUrlOf, findBaseUrl, withBaseUrl } from '../base-url.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, PROGRAM, type ProgramOptions } from '../cli.ts';
import { WrongUsage } from '../errors.ts';
import { requireProgram } from '../lookup.ts';
import { type Rendered, renderObject, withOutput } from '../output.ts';
import { readSecret } from '../secrets.ts';
import { addStripeSimulate } from './simulate.ts';

type StripeOptions = ProgramOptions & BaseUrlOptions;

/** The signing secret of an endpoint: Stripe shows it in its dashboard, and `stripe listen` prints one, too. */
const SECRET = /^whsec_[\w+/=-]{16,250}$/;
const INCOMPLETE = /^whsec_[\w+/=-]{0,15}$/;

/** Adds `stripe connect`, `stripe disconnect` and `stripe simulate`. */
export function addStripeCommands(admin: AdminCommand, context: CliContext): void {
  const stripe = admin
    .command('stripe')
    .description('payments and cancellations that Stripe reports to the service')
    .examples(['stripe connect --help', 'stripe simulate --help']);
  addConnect(stripe, context);
  addDisconnect(stripe, context);
  addStripeSimulate(stripe, context);
}

function addConnect(stripe: AdminCommand, context: CliContext): void {
  const { clock, environment, onTable, partsOf, input, output, errors } = context;
  withBaseUrl(
    stripe
      .command('connect')
      .description('accept the events of an endpoint at Stripe')
      .requiredOption(...PROGRAM),
  )
    .requiredOption('--secret <secret>', 'signing secret of the endpoint, or - to read it from standard input')
    .addOption(
      new Option(
        '--on-refund <effect>',
        'effect of a full refund on the referral (default: keep the current setting)',
      ).choices(REFUND_RULES),
    )
    .examples(
      [
        'stripe connect --program ID --secret - < secret.txt',
        `stripe connect --program ID --secret - --on-refund reject ${NEXT_LINE} --base-url https://api.example.com --json`,
      ],
      `Stripe shows the secret once the endpoint exists. Its URL is the address of the service, followed by
/v2/integrations/stripe/ and the id of the program. The two newest secrets are valid, so that a
secret can be replaced without a gap.`,
    )
    .action(
      withOutput(output, async (options: StripeOptions & { secret: string; onRefund?: RefundRule }) => {
        const { program: id, onRefund } = options;
        const baseUrl = await baseUrlOf(options.baseUrl, environment);
        const secret = parseSecret(await readSecret(options.secret, input, errors));
        return onTable(async (table) => {
          const program = await requireProgram(id, table);
          const { secrets } = await partsOf(table);
          const count = await rotateSecret(secrets, stripeOwner(program.id), { value: secret, createdAt: clock() });
          const changed = onRefund === undefined ? program : await updateProgram(table, program.id, { onRefund });
          return renderConnection(stripeUrl(baseUrl, program.id), count, changed.onRefund);
        });
      }),
    );
}

function addDisconnect(stripe: AdminCommand, { environment, onTable, partsOf, output }: CliContext): void {
  withBaseUrl(
    stripe
      .command('disconnect')
      .description('remove all secrets: every event from Stripe is rejected')
      .requiredOption(...PROGRAM),
  )
    .examples(
      ['stripe disconnect --program ID'],
      'Delete or disable the endpoint at Stripe first: Stripe repeats rejected events for days.',
    )
    .action(
      withOutput(output, async (options: StripeOptions) => {
        const baseUrl = await findBaseUrl(options.baseUrl, environment);
        return onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const { secrets } = await partsOf(table);
          const owner = stripeOwner(program.id);
          await secrets.remove(owner, await secrets.read(owner));
          const url = baseUrl === undefined ? null : stripeUrl(baseUrl, program.id);
          return renderConnection(url, 0, program.onRefund);
        });
      }),
    );
}

/** Checks a secret. Throws `WrongUsage`, without it. */
function parseSecret(text: string): string {
  if (SECRET.test(text)) return text;
  if (INCOMPLETE.test(text)) {
    throw new WrongUsage(
      '--secret looks incomplete. Copy the whole signing secret that Stripe shows for the endpoint.',
    );
  }
  throw new WrongUsage(
    '--secret must be the signing secret that Stripe shows for the endpoint. It begins with whsec_.',
  );
}

function renderConnection(url: string | null, secrets: number, onRefund: RefundRule): Rendered {
  return renderObject({ url, secrets, on_refund: onRefund }, {}, 'The change takes effect within 30 seconds.');
}
