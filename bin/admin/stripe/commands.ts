import type { Writable } from 'node:stream';
import { Option } from 'commander';
import { REFUND_RULES, type RefundRule } from '../../../functions/domain/program.ts';
import { rotateSecret, stripeOwner } from '../../../functions/secrets/secrets.ts';
import { updateProgram } from '../../../functions/table/operator/programs.ts';
import { stripeUrl } from '../../service/stripe-simulation.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import { InvalidArguments } from '../errors.ts';
import { type Rendered, renderObject } from '../output.ts';
import type { Input } from '../secrets.ts';
import { type BaseUrlOptions, baseUrlOf, findBaseUrl, withBaseUrl } from '../target.ts';
import { addStripeSimulate } from './simulate.ts';

/** The signing secret of an endpoint: Stripe shows it in its dashboard, and `stripe listen` also prints one. */
const SECRET = /^whsec_[\w+/=-]{16,250}$/;
/** The longest line on standard input that is read for a secret. Secrets have some 40 characters. */
const MAX_LINE = 1000;
const ON_REFUND = 'effect of a full refund on the referral (default: keep the current setting)';

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

function addConnect(stripe: AdminCommand, { clock, environment, partsOf, input, errors }: CliContext): void {
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
    .onProgram(async (options: BaseUrlOptions & { secret: string; onRefund?: RefundRule }) => {
      const { onRefund } = options;
      const baseUrl = await baseUrlOf(options.baseUrl, environment);
      const secret = parseSecret(await readSecret(options.secret, input, errors));
      return async ({ program, table }) => {
        const { secrets } = await partsOf(table);
        const count = await rotateSecret(secrets, stripeOwner(program.id), { value: secret, createdAt: clock() });
        const changed = onRefund === undefined ? program : await updateProgram(table, program.id, { onRefund });
        return renderConnection(stripeUrl(baseUrl, program.id), count, changed.onRefund);
      };
    });
}

function addDisconnect(stripe: AdminCommand, { environment, partsOf }: CliContext): void {
  withBaseUrl(stripe.programCommand('disconnect', 'remove all secrets: every event from Stripe is rejected'))
    .remarks('Delete or disable the endpoint at Stripe first: Stripe repeats rejected events for days.')
    .onProgram(async (options: BaseUrlOptions) => {
      const baseUrl = await findBaseUrl(options.baseUrl, environment);
      return async ({ program, table }) => {
        const { secrets } = await partsOf(table);
        const owner = stripeOwner(program.id);
        await secrets.remove(owner, await secrets.read(owner));
        return renderConnection(baseUrl === undefined ? null : stripeUrl(baseUrl, program.id), 0, program.onRefund);
      };
    });
}

/** Reads the secret from standard input for `-`: there, neither the shell's history nor the list of processes has it. */
async function readSecret(option: string, input: Input, prompt: Writable): Promise<string> {
  if (option !== '-') return option;
  if (input.isTTY) prompt.write('Paste the secret and press Enter: ');
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    // A terminal does not end its input, but sends each line as soon as it is complete.
    if (text.includes('\n') || text.length > MAX_LINE) break;
  }
  const line = text.trim();
  if (line !== '' && line.length <= MAX_LINE && !/[\r\n]/.test(line)) return line;
  throw new InvalidArguments('--secret - reads one line from standard input. Write only the secret to it.');
}

function parseSecret(text: string): string {
  if (SECRET.test(text)) return text;
  const rule = 'must be the whole signing secret that Stripe shows for the endpoint. It starts with whsec_.';
  throw new InvalidArguments(`--secret ${rule}`);
}

function renderConnection(url: string | null, secrets: number, onRefund: RefundRule): Rendered {
  return renderObject({ url, secrets, on_refund: onRefund }, {}, 'The change takes effect within 30 seconds.');
}
