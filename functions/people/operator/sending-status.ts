import { type SendSigned, type ServiceOptions, signedSender } from '../../kernel/aws/json-service.ts';
import { RequestRefused, Unavailable } from '../../kernel/errors.ts';
import { valueAt } from '../../kernel/json.ts';
import { SES } from '../stream/ses.ts';

/** What SES says about the address that sends emails, and about the account. */
export interface SendingStatus {
  /** True if the identity of the address or of its domain is verified. */
  readonly isVerified: boolean;
  /** True if SES signs emails of one of them by DKIM. */
  readonly isSigned: boolean;
  /** True if the account may send at all. */
  readonly maySend: boolean;
  /** False in the sandbox, where only verified addresses get emails. */
  readonly isInProduction: boolean;
}

/** Time limits in milliseconds: the operator may be far from the region. */
const LIMITS = { connectionTimeout: 3000, requestTimeout: 10_000, socketTimeout: 10_000 };
const NOT_FOUND = 404;

/**
 * Reads whether SES may send emails from an address, with three requests. Throws `RequestRefused` or `Unavailable`
 * (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetEmailIdentity.html and API_GetAccount.html).
 */
export async function readSendingStatus(from: string, options: ServiceOptions): Promise<SendingStatus> {
  const send = signedSender(SES, { limits: LIMITS, ...options });
  const names = [from, from.slice(from.lastIndexOf('@') + 1)];
  const paths = names.map((name) => `/v2/email/identities/${encodeURIComponent(name)}`);
  const [account, ...identities] = await Promise.all(['/v2/email/account', ...paths].map((path) => read(send, path)));
  return {
    isVerified: identities.some((identity) => valueAt(identity, 'VerifiedForSendingStatus') === true),
    isSigned: identities.some(isSigned),
    maySend: valueAt(account, 'SendingEnabled') === true && valueAt(account, 'EnforcementStatus') !== 'SHUTDOWN',
    isInProduction: valueAt(account, 'ProductionAccessEnabled') === true,
  };
}

const isSigned = (identity: unknown): boolean =>
  valueAt(identity, 'DkimAttributes', 'SigningEnabled') === true &&
  valueAt(identity, 'DkimAttributes', 'Status') === 'SUCCESS';

/** Reads a resource; `undefined` if it does not exist. */
async function read(send: SendSigned, path: string): Promise<unknown> {
  const { status, body } = await send({ method: 'GET', path });
  if (status === NOT_FOUND) return undefined;
  const refusal = Object.assign(new Error(), { name: `status ${status}` });
  if (status >= 500 || status === 429) throw new Unavailable(refusal, refusal.name);
  if (status >= 300) throw new RequestRefused(refusal, refusal.name);
  try {
    return JSON.parse(body);
  } catch {
    throw new Unavailable(refusal, 'no JSON');
  }
}
