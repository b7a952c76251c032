import type { Command } from 'commander';
import { InvalidField } from '../../functions/domain/errors.ts';
import { isHttpAddress } from '../local/environment.ts';
import type { AdminCommand, CliContext } from './cli.ts';
import { newThrowAway } from './doctor/program.ts';
import { closingSentence, stepText } from './doctor/report.ts';
import { asking } from './doctor/request.ts';
import { runSteps } from './doctor/run.ts';
import { firstSteps, referralSteps } from './doctor/service-steps.ts';
import { tableSteps } from './doctor/table-steps.ts';
import { Failure } from './errors.ts';
import { targetOf } from './target.ts';

interface DoctorOptions {
  readonly baseUrl?: string;
}

/**
 * Adds `doctor`, which tries the whole service over HTTP: click, conversion, states and both lists. It does so in a
 * throw-away program with a throw-away advocate, stored for it and removed at its end, so that no real program's lists
 * or numbers are touched.
 */
export function addDoctorCommand(admin: AdminCommand, session: CliContext, environment: NodeJS.ProcessEnv): void {
  admin
    .command('doctor')
    .description('try the service from a click to both lists, in a throw-away program that is removed again')
    .option('--base-url <url>', 'address of the service (else that of the running npm start)')
    .examples(
      ['doctor', 'doctor --base-url https://api.example.com --json'],
      `For a deployed service, set TABLE_NAME and give --base-url as the outputs of its stack say them. No real program's lists
or numbers are touched.`,
    )
    .action(async (options: DoctorOptions, command: Command) => {
      const baseUrl = await baseUrlOf(options, environment);
      const { json: asJson } = command.optsWithGlobals<{ json?: true }>();
      const reports = await examine(baseUrl, session, asJson ? () => undefined : (text) => session.output.write(text));
      const ok = reports.every(({ outcome }) => outcome === 'passed');
      if (asJson) session.output.write(`${JSON.stringify({ ok, base_url: baseUrl, steps: reports })}\n`);
      if (!ok) throw new Failure(closingSentence(reports, baseUrl));
      if (!asJson) session.output.write(`${closingSentence(reports, baseUrl)}\n`);
    });
}

async function examine(baseUrl: string, session: CliContext, write: (text: string) => void) {
  const stop = new AbortController();
  // A terminal's Ctrl-C arrives twice, from it and from npm: neither may end the process before all is cleaned up.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
  const { clock, random } = session;
  const throwAway = newThrowAway(clock(), random);
  const ask = asking(baseUrl);
  const { prepare, cleanUp } = tableSteps(throwAway, session);
  const steps = [
    ...firstSteps(ask, session),
    ...prepare,
    ...referralSteps(ask, throwAway, session, stop.signal),
    cleanUp,
  ];
  return runSteps(steps, clock, stop.signal, (report) => write(stepText(report)));
}

/** The address in `--base-url`, without a slash at its end, else that of the running service. Throws `InvalidField`. */
async function baseUrlOf({ baseUrl }: DoctorOptions, environment: NodeJS.ProcessEnv): Promise<string> {
  if (baseUrl !== undefined) return parseBaseUrl(baseUrl);
  const { baseUrl: noted } = await targetOf(environment);
  if (noted === undefined) {
    throw new InvalidField(
      'base-url',
      'is needed where the table is not that of a running npm start: give the address of the service, as the output BaseUrl of its stack',
    );
  }
  return noted;
}

function parseBaseUrl(text: string): string {
  const url = isHttpAddress(text) ? new URL(text) : undefined;
  if (url?.href !== `${url?.origin}${url?.pathname}`) {
    throw new InvalidField(
      'base-url',
      'must be an http or https address such as https://api.example.com, without a query',
    );
  }
  return url.href.replace(/\/+$/, '');
}
