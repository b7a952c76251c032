import type { Command } from 'commander';
import { isHttpAddress } from '../../service/environment.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import { Failure, InvalidArguments } from '../errors.ts';
import { wantsJson } from '../output.ts';
import { type BaseUrlOptions, baseUrlOf, withBaseUrl } from '../target.ts';
import { pageSteps } from './page/steps.ts';
import { closingSentence, reportText, runSteps } from './run.ts';
import { doctorSteps } from './steps.ts';

/**
 * Adds `doctor`, which tests tracking and the lists over HTTP: click, conversion, states and lists. It works in a
 * temporary program, so that real programs do not change.
 */
export function addDoctorCommand(admin: AdminCommand, context: CliContext): void {
  withBaseUrl(
    admin
      .command('doctor')
      .description('test tracking and the lists in a temporary program that is deleted at the end'),
  )
    .option('--page <url>', "also check a page of a merchant's site: the script's tag, public key and permissions")
    .examples(
      [
        'doctor',
        'doctor --base-url https://api.example.com --json',
        `doctor --base-url https://api.example.com ${NEXT_LINE} --page https://www.shop.example/`,
      ],
      `For a deployed service, set TABLE_NAME and --base-url to the outputs TableName and BaseUrl of its
stack. Real programs do not change. --page sees the page as its server sends it, without tags that
other scripts add.`,
    )
    .action(async (options: BaseUrlOptions & { readonly page?: string }, command: Command) => {
      const page = options.page === undefined ? undefined : pageOf(options.page);
      const baseUrl = await baseUrlOf(options.baseUrl, context.environment);
      const { output, clock } = context;
      const asJson = wantsJson(command);
      const stop = new AbortController();
      // Ctrl-C arrives twice, from the terminal and from npm. Neither signal may end the process before the clean-up.
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
      const ofPage = page ? pageSteps(page, baseUrl, context.onTable) : [];
      const steps = doctorSteps(baseUrl, context, stop.signal, ofPage);
      const reports = await runSteps(steps, clock, stop.signal, (report) => {
        if (!asJson) output.write(reportText(report));
      });
      const ok = reports.every(({ outcome }) => outcome === 'passed');
      if (asJson) output.write(`${JSON.stringify({ ok, base_url: baseUrl, steps: reports })}\n`);
      if (!ok) throw new Failure(closingSentence(reports, baseUrl));
      if (!asJson) output.write(`${closingSentence(reports, baseUrl)}\n`);
    });
}

/** Returns the address in `--page`, without its fragment. Throws `InvalidArguments`. */
function pageOf(address: string): URL {
  const url = isHttpAddress(address) ? new URL(address) : undefined;
  if (url?.username !== '' || url.password !== '') {
    throw new InvalidArguments(
      '--page must be an http or https address without a password, such as https://www.shop.example/.',
    );
  }
  url.hash = '';
  return url;
}
