import { RequestRefused, Unavailable } from '../../../functions/kernel/errors.ts';
import { type ParameterStoreOptions, readEmailFrom } from '../../../functions/kernel/secrets/parameter-store.ts';
import { readSendingStatus, type SendingStatus } from '../../../functions/people/operator/sending-status.ts';
import type { Advised } from './run.ts';

const FINDINGS: readonly (readonly [keyof SendingStatus, string])[] = [
  [
    'isVerified',
    "SES refuses all emails: the address in emailFrom is not verified. Verify it or its domain in SES, in the stack's region.",
  ],
  [
    'isSigned',
    'No email is signed by DKIM, so many are treated as spam. Turn on DKIM for the domain in SES, and create the DNS records that SES shows.',
  ],
  [
    'isInProduction',
    "The account is in the sandbox of SES, so only verified addresses get emails. Request production access in SES, in the stack's region.",
  ],
  ['maySend', 'SES has paused the account, so nobody gets emails. Open the account dashboard of SES: it says why.'],
];

const NO_ANSWER = 'Parameter Store or SES on AWS does not respond. Run doctor again later, or check the network.';
const REJECTED =
  'Parameter Store or SES on AWS rejects a request. Allow the actions in docs/deploy.md to the credentials.';

/** Says what keeps SES from sending the emails of a deployment; `undefined` for a deployment without emails. */
export async function checkEmails(options: ParameterStoreOptions): Promise<string | Advised | undefined> {
  try {
    const from = await readEmailFrom(options);
    if (from === undefined) return undefined;
    const status = await readSendingStatus(from, options);
    const advice = FINDINGS.flatMap(([name, sentence]) => (status[name] ? [] : [sentence]));
    if (advice.length === 0) return 'SES has verified the sender, signs its emails, and sends to everybody';
    return { what: 'people do not get all emails', advice: advice.join('\n') };
  } catch (error) {
    if (!(error instanceof RequestRefused || error instanceof Unavailable)) throw error;
    const advice = error instanceof Unavailable ? NO_ANSWER : REJECTED;
    return { what: 'it is not known whether SES sends emails', advice };
  }
}
