import type { Command } from 'commander';
import { makeToken } from '../../../functions/kernel/accounts/rules/token.ts';
import type { State } from '../../../functions/referrals/rules/state.ts';
import { BROWSER, isHttpAddress } from '../../service/environment.ts';
import { type AdminCommand, type CliContext, onProgram } from '../cli.ts';
import { Failure, InvalidArguments, toExit } from '../errors.ts';
import { type CustomerOptions, explanationOf, questionIn, withCustomer } from '../explain.ts';
import { wantsJson } from '../output.ts';
import { type BaseUrlOptions, baseUrlOf, withBaseUrl } from '../target.ts';
import { checkEmails } from './emails.ts';
import { pageSteps } from './page/steps.ts';
import { checkApiVersions, checkRates } from './programs.ts';
import { type Request, StepFailure, sender, UnexpectedContent } from './request.ts';
import { closingSentence, reportText, runSteps, type Step } from './run.ts';
import * as temporary from './temporary-program.ts';

/** Longest wait for a list to show a write, in milliseconds: indexes on AWS are eventually consistent. */
const LAG_LIMIT = 30_000;
const RETRY_AFTER = 250;
const PAGE = "also check a page of a merchant's site: the script's tag, public key and permissions, and its cookie";

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

interface DoctorOptions extends BaseUrlOptions, CustomerOptions {
  readonly page?: string;
  readonly program?: string;
}

export function addDoctorCommand(admin: AdminCommand, context: CliContext): void {
  withCustomer(withBaseUrl(admin.command('doctor')))
    .description('test tracking and the lists in a temporary program that is deleted at the end')
    .option('--page <url>', PAGE)
    .option('--program <id>', 'program of a customer to explain at the end')
    .examples(
      ['doctor', 'doctor --page http://localhost:3000/demo', 'doctor --base-url https://api.example.com --json'],
      `For a deployed service, set TABLE_NAME and --base-url to the outputs TableName and BaseUrl of its
stack. Real programs do not change. --page sees the page as its server sends it, without tags that
other scripts add.`,
    )
    .action(async (options: DoctorOptions, command: Command) => {
      const explaining = explanationIn(options, context);
      const page = options.page === undefined ? undefined : pageOf(options.page);
      const baseUrl = await baseUrlOf(options.baseUrl, context.environment);
      const { output, clock } = context;
      const asJson = wantsJson(command);
      const stop = new AbortController();
      const abort = () => stop.abort();
      // Ctrl-C arrives twice, from the terminal and from npm. Neither signal may end the process before the clean-up.
      for (const signal of SIGNALS) process.on(signal, abort);
      const ofPage = page ? pageSteps(page, baseUrl, context) : [];
      const steps = doctorSteps(baseUrl, context, stop.signal, ofPage);
      const reports = await runSteps(steps, clock, stop.signal, (report) => {
        if (!asJson) output.write(reportText(report));
      }).finally(() => {
        for (const signal of SIGNALS) process.off(signal, abort);
      });
      const ok = reports.every(({ outcome }) => outcome === 'passed');
      const explained = await explaining?.();
      const result = { ok, base_url: baseUrl, steps: reports, explanation: explained?.json };
      output.write(asJson ? `${JSON.stringify(result)}\n` : (explained?.text ?? ''));
      if (!ok) throw new Failure(closingSentence(reports, baseUrl));
      if (!asJson) output.write(`${closingSentence(reports, baseUrl)}\n`);
    });
}

/** Returns a function that explains the customer in the options; `undefined` without one. Throws `InvalidArguments` or `InvalidField`. */
function explanationIn({ program, page: _page, baseUrl: _url, ...customer }: DoctorOptions, context: CliContext) {
  if (program === undefined && Object.keys(customer).length === 0) return undefined;
  if (program === undefined) throw new InvalidArguments('--program is required to explain a customer.');
  const work = explanationOf(questionIn(customer));
  return async () => {
    const { json, text } = await onProgram(context, { program }, work);
    return { json, text: `${text(context.output.columns || Number.POSITIVE_INFINITY)}\n` };
  };
}

/** Returns the address in `--page`, without its fragment. Throws `InvalidArguments`. */
function pageOf(address: string): URL {
  const url = isHttpAddress(address) ? new URL(address) : undefined;
  if (url?.username !== '' || url.password !== '') {
    const rule = 'must be an http or https address without a password, such as https://www.shop.example/.';
    throw new InvalidArguments(`--page ${rule}`);
  }
  url.hash = '';
  return url;
}

function doctorSteps(baseUrl: string, context: CliContext, stopped: AbortSignal, more: readonly Step[]): Step[] {
  const { clock, random, pause, onTable, deployment } = context;
  const send = sender(baseUrl);
  const created = temporary.newTemporaryProgram(clock(), random);
  const { program, advocate, programToken, affiliateToken } = created;
  let mayBeStored = false;

  const step = (name: string, result: string, run: () => Promise<unknown>): Step => {
    return { name, run: () => run().then(() => result) };
  };
  const expectRow = async (request: Request, row: object) => {
    for (const end = clock() + LAG_LIMIT; ; await pause(RETRY_AFTER)) {
      try {
        return await send(request, { status: 200, json: { data: [row] } });
      } catch (error) {
        if (!(error instanceof UnexpectedContent) || clock() >= end || stopped.aborted) throw error;
      }
    }
  };
  const { id, slug, email } = advocate;
  const grId = `${slug}.${program.id}`;
  const referral = (state: State, customer: string | null = temporary.CUSTOMER.email) => ({
    id: program.id,
    type: 'referral',
    attributes: { email: customer, state },
  });
  const script = { operation: 'getScript' } as const;
  const advocates = { operation: 'listAdvocates', token: programToken } as const;
  const referrals = { operation: 'listReferrals', token: affiliateToken } as const;
  const click: Request = {
    operation: 'trackClick',
    headers: { 'content-type': 'text/plain', 'user-agent': BROWSER },
    body: { pk: program.publicKey, gr_id: grId },
  };
  const conversion: Request = {
    operation: 'trackConversionV2',
    token: programToken,
    headers: { 'idempotency-key': temporary.IDEMPOTENCY_KEY },
    body: { gr_id: grId, ...temporary.CUSTOMER },
  };
  const converted = { status: 201, json: { data: referral('converted') } };
  const stateRequest = (state: State): Request => ({
    operation: 'setState',
    token: programToken,
    body: { uid: temporary.CUSTOMER.uid, state },
  });
  const stateStep = (name: string, state: State) =>
    step(name, `the referral is ${state}`, () =>
      send(stateRequest(state), { status: 200, json: { data: referral(state) } }),
    );

  return [
    step('script', 'the tracking script is served, and not sent again to a browser that has it', async () => {
      const headers = { 'content-type': /javascript/, etag: /./ };
      const first = await send(script, { status: 200, headers });
      await send({ ...script, headers: { 'if-none-match': first.get('etag') ?? '' } }, { status: 304 });
    }),
    step('unknown token', 'an unknown token is rejected', () => {
      const unknown = { ...advocates, token: makeToken('program', random) };
      return send(unknown, { status: 401, headers: { 'www-authenticate': /./ } });
    }),
    {
      name: 'leftovers',
      run: async () => {
        const { count, advice } = await onTable((table) => temporary.removeLeftovers(table, pause));
        const what = count === 0 ? 'earlier runs left nothing behind' : `removed programs of earlier runs: ${count}`;
        return advice.length === 0 ? what : { what, advice: advice.join('\n') };
      },
    },
    { name: 'commission rates', run: () => onTable(checkRates) },
    { name: 'promotion codes', run: () => onTable(checkApiVersions) },
    {
      name: 'emails',
      needs: [],
      run: async () => {
        const options = await onTable(deployment);
        return options && checkEmails(options);
      },
    },
    step('temporary program', 'a program with one advocate and two tokens is stored', () => {
      mayBeStored = true;
      return onTable((table) => temporary.storeTemporaryProgram(table, created));
    }),
    step('list of advocates', 'the list shows the advocate', () =>
      expectRow(advocates, { id, type: 'advocate', attributes: { id, slug, email } }),
    ),
    step('click', 'the click is recorded, and recognized the second time', async () => {
      await send(click, { status: 204, headers: { 'x-click': /^recorded$/ } });
      await send(click, { status: 204, headers: { 'x-click': /^known$/ } });
    }),
    step('list of clicks', 'the list shows the click', () =>
      expectRow({ ...referrals, query: 'state_eq=clicked' }, referral('clicked', null)),
    ),
    step('conversion', 'the click becomes a converted referral', () => send(conversion, converted)),
    step('repeated conversion', 'the same Idempotency-Key returns the first response again', () =>
      send(conversion, { ...converted, headers: { 'idempotent-replayed': /^true$/ } }),
    ),
    step('V1 conversion', 'an existing referral is rejected, and V1 is marked as deprecated', () =>
      send(
        { operation: 'trackConversionV1', token: programToken, body: { gr_id: grId, email: temporary.CUSTOMER.email } },
        { status: 409, headers: { deprecation: /^@\d+$/ } },
      ),
    ),
    stateStep('payment', 'paid'),
    stateStep('loss', 'churned'),
    stateStep('rejection', 'rejected'),
    step('refused state', 'a rejected referral cannot become paid', () => send(stateRequest('paid'), { status: 409 })),
    stateStep('restoration', 'converted'),
    step('list of referrals', 'the list shows the referral with its state', () =>
      expectRow(referrals, referral('converted')),
    ),
    ...more,
    {
      name: 'clean-up',
      isCleanUp: true,
      run: async () => {
        if (!mayBeStored) return 'nothing was stored';
        try {
          const tokens = [programToken, affiliateToken];
          const advice = await onTable((table) =>
            temporary.removeTemporaryProgram(table, program, tokens, temporary.newWait(table, pause)),
          );
          if (advice !== undefined) return { what: 'everything is removed, although it is not counted yet', advice };
          return 'everything that was stored is removed';
        } catch (error) {
          const advice = `The program ${program.id} stays in the table with everything in it; its tokens expire after ${temporary.LIFE_MINUTES} minutes. Once the table can be reached, run doctor again to remove it.`;
          throw new StepFailure(toExit(error).sentence ?? '', advice, { cause: error });
        }
      },
    },
  ];
}
