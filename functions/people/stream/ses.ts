import { type ServiceOptions, signedSender } from '../../kernel/aws/json-service.ts';
import { Unavailable } from '../../kernel/errors.ts';
import { logFailure } from '../../kernel/log/failure.ts';
import type { OutgoingEmail, SendEmail } from './outgoing.ts';

/** Time limits in milliseconds: after them, the email may have been sent. */
const LIMITS = { connectionTimeout: 1000, requestTimeout: 15_000, socketTimeout: 15_000 };

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
export const SES = { name: 'ses', host: 'email', variable: 'SESV2' } as const;
const PATH = '/v2/email/outbound-emails';

/** Returns a function that sends emails with SES, from an address of a verified identity. */
export function sesSender(from: string, options: ServiceOptions): SendEmail {
  const send = signedSender(SES, { limits: LIMITS, ...options });
  return async (email) => {
    const body = JSON.stringify(requestOf(from, email));
    try {
      const { status, headers } = await send({
        path: PATH,
        headers: { 'content-type': 'application/json' },
        body,
      });
      if (status < 300) return 'sent';
      logFailure('email_refused', { status: String(status), reason: reasonIn(headers) });
      return status < 500 ? 'refused' : 'unknown';
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      logFailure('email_unanswered', {}, error);
      return 'unknown';
    }
  };
}

function requestOf(from: string, { to, fromName, replyTo, subject, text: plain, html, headers }: OutgoingEmail) {
  const content = (Data: string) => ({ Data, Charset: 'UTF-8' });
  return {
    FromEmailAddress: `${encodedWord(fromName)} <${from}>`,
    Destination: { ToAddresses: [to] },
    ...(replyTo !== null && { ReplyToAddresses: [replyTo] }),
    Content: {
      Simple: {
        Subject: content(subject),
        Body: { Text: content(plain), Html: content(html) },
        Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
      },
    },
  };
}

/** The longest name in UTF-8 that one word may have: 75 characters in all (RFC 2047 section 2). */
const MAX_WORD = 45;

/** Writes a name as an encoded word, in which no character has a meaning (RFC 2047). */
function encodedWord(name: string): string {
  let short = '';
  for (const character of name) {
    if (Buffer.byteLength(short + character) > MAX_WORD) break;
    short += character;
  }
  return `=?UTF-8?B?${Buffer.from(short).toString('base64')}?=`;
}

/**
 * SES's name for a refusal, because its message may repeat an address
 * (https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization).
 */
const reasonIn = (headers: Readonly<Record<string, string>>): string =>
  (headers['x-amzn-errortype'] ?? 'unknown').replace(/:.*$/, '').replace(/^.*#/, '').slice(0, 60);
