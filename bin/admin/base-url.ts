import { DATA_DIR, isHttpAddress } from '../service/environment.ts';
import type { AdminCommand } from './cli.ts';
import { WrongUsage } from './errors.ts';
import { targetOf } from './target.ts';

export interface BaseUrlOptions {
  readonly baseUrl?: string;
}

/** Adds the option `--base-url`. */
export function withBaseUrl(command: AdminCommand): AdminCommand {
  return command.option('--base-url <url>', 'address of the service (default: that of the running npm start)');
}

/**
 * Returns the address in `--base-url` or of the running service, without a slash at its end; `undefined` if neither is
 * known. Throws `WrongUsage`.
 */
export async function findBaseUrl(
  option: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const address = option ?? (await targetOf(environment)).service?.baseUrl;
  if (address === undefined) return undefined;
  const url = isHttpAddress(address) ? new URL(address) : undefined;
  if (url?.href !== `${url?.origin}${url?.pathname}`) {
    throw new WrongUsage(
      '--base-url must be an http or https address without a query, such as https://api.example.com.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Does the same, and throws `WrongUsage` also if the address is not known. */
export async function baseUrlOf(option: string | undefined, environment: NodeJS.ProcessEnv): Promise<string> {
  const baseUrl = await findBaseUrl(option, environment);
  if (baseUrl !== undefined) return baseUrl;
  throw new WrongUsage(
    `--base-url is required unless ${DATA_DIR} is the folder of a running npm start that uses this table. For a deployment, give the output BaseUrl of its stack.`,
  );
}
