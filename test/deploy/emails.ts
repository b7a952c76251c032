import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { marshall } from '@aws-sdk/util-dynamodb';
import { addressHash } from '../../functions/kernel/address.ts';
import { advocateKey, draftKey, signInLinksKey } from '../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../functions/kernel/time.ts';
import { makeLinkCode, writeLinkCode } from '../../functions/people/rules/link-code.ts';
import { codeWrite } from '../../functions/people/table/link-codes.ts';
import { callJson, callRest, succeeded } from './aws.ts';
import { admin } from './cdk.ts';
import { check, equal, until } from './checks.ts';
import { type Delivered, failureOf, toKey } from './exercises.ts';
import { APPLICANTS, applicantEmail, type Inbox, isApplicant, LATEST, type LinkName, memberEmail } from './inbox.ts';
import type { Exercise } from './privileges.ts';
import type { DeployedFunction } from './roles.ts';
import { mustSend, type World } from './world.ts';

const DOMAIN = 'acme.example';
export const FROM = `partners@${DOMAIN}`;

/** Verifies the address or its domain in SES, or neither. */
async function verify(identity?: string): Promise<void> {
  for (const other of [FROM, DOMAIN])
    await succeeded(callRest('ses', `DELETE /v2/email/identities/${encodeURIComponent(other)}`));
  if (identity === undefined) return;
  await succeeded(callRest('ses', 'POST /v2/email/identities', JSON.stringify({ EmailIdentity: identity })));
}

/** Verifies the sender, and settles with the second advocate of each world, which causes an email. */
export async function prepareEmails(...worlds: readonly World[]): Promise<void> {
  await verify(DOMAIN);
  for (const world of worlds) {
    const body = { affiliate_slug: world.other, settlement_id: 'email', amount: 1, currency: 'usd' };
    await mustSend(world, 'recordSettlement', { token: world.token, body });
  }
}

/** Checks that the same requests caused the same emails in both services. */
export async function checkEmails(local: Inbox, deployed: Inbox): Promise<void> {
  await check('SES gets each email that npm start shows, once, and none to unknown addresses', async () => {
    const listed = async (inbox: Inbox) =>
      // A request changes the name of the program, while the stream may be late.
      (await inbox()).map(({ to, subject }) => `${to}: ${subject.replace('Acme a', 'Acme')}`).toSorted();
    const isSame = async () => isDeepStrictEqual(await listed(deployed), await listed(local)) || undefined;
    await until('last email', isSame, LATEST).catch(() => undefined);
    const expected = await listed(local);
    equal(await listed(deployed), expected, 'emails');
    const recipients = new Set(expected.map((email) => email.replace(/:.*/, '')));
    const people = ['ida-a@acme.example', 'jane@example.com', 'joe@example.com', 'sam-a@acme.example'];
    const applicants = APPLICANTS.map((name) => applicantEmail(name, { run: 'a' }));
    equal([...recipients], [...people, ...applicants].toSorted(), 'recipients');
  });
}

/** Checks that `doctor` finds the address that sends emails. The emulator never signs by DKIM. */
export const checkDoctor = (environment: Readonly<Record<string, string>>, baseUrl: string) =>
  check('doctor asks SES about the address in emailFrom', async () => {
    const { steps } = await admin(environment, 'doctor', '--base-url', baseUrl);
    const { advice } = steps.find(({ step }: { step: string }) => step === 'emails');
    equal(/^No email is signed by DKIM.*$/.test(advice), true, advice);
  });

/** What an exercise of `people` has of its own: codes that no email contains, because the limits would allow few. */
export function ownOfPeople({ world, deployment: { tableName: TableName } }: Delivered, run: string): Partial<World> {
  const planted = new Map<LinkName, Promise<string>>();
  /** The id of what an address sent to become an advocate. */
  async function draftOf(address: string): Promise<string> {
    const Key = toKey(draftKey(world.program, address));
    return (await succeeded(callJson('dynamodb', 'GetItem', { TableName, Key }))).json.Item.id.S;
  }
  async function plant(link: LinkName, member: string): Promise<string> {
    const email = isApplicant(link) ? applicantEmail(link, { run }) : world.email;
    const address = addressHash(link === 'memberSignIn' ? memberEmail({ run }) : email);
    const none = { slug: null, member: null, application: null };
    const owner = async () => {
      if (isApplicant(link)) return { ...none, purpose: 'confirm', application: await draftOf(address) } as const;
      if (link === 'memberSignIn') return { ...none, purpose: 'sign_in', member } as const;
      return { ...none, purpose: link === 'undo' ? 'undo' : 'sign_in', slug: world.other } as const;
    };
    const code = makeLinkCode(world.program, address, randomBytes);
    const { write } = codeWrite(code, {
      ...(await owner()),
      emailVersion: 0,
      expiresAt: seconds(Math.floor(Date.now() / 1000) + 600),
    });
    await succeeded(callJson('dynamodb', 'PutItem', { TableName, Item: marshall(write.Put.Item) }));
    return writeLinkCode(code);
  }
  return {
    email: `ask-${run}@example.com`,
    secretIn: (link, { member }) => {
      const secret = planted.get(link) ?? (link === 'unsubscribe' ? world.secretIn(link, world) : plant(link, member));
      planted.set(link, secret);
      return secret;
    },
  };
}

/** Builds records of the stream that cause emails: a request for a link, and another address. Nobody gets the emails. */
export async function peopleRecords({ world, deployment }: Delivered, run: string): Promise<object[]> {
  const Key = toKey(advocateKey(world.program, world.other));
  const { json } = await succeeded(callJson('dynamodb', 'GetItem', { TableName: deployment.tableName, Key }));
  const links = toKey(signInLinksKey(world.program, addressHash(run), 'portal'));
  const images = [
    { Keys: links, NewImage: { ...links, request: { S: run } } },
    { Keys: Key, NewImage: json.Item, OldImage: { ...json.Item, email: { S: `${run}@example.com` } } },
  ];
  return images.map((dynamodb) => ({ eventName: 'MODIFY', dynamodb: { ...dynamodb, SequenceNumber: '3' } }));
}

/**
 * Passes causes of emails to `mail`: SES finds the identity of the address, then of its domain, then none of them, so that
 * emails from both queues are tried again. Also passes a message that it cannot read.
 */
export const exerciseMail =
  (lambda: DeployedFunction, { world }: Delivered): Exercise =>
  async (run) => {
    const record = (body: string) => {
      return { messageId: 'none', receiptHandle: 'none', body, attributes: { ApproximateReceiveCount: '1' } };
    };
    const message = (cause: object) => record(JSON.stringify({ program: world.program, cause, causedAt: Date.now() }));
    const signIn = (request: string) =>
      message({ kind: 'sign_in', page: 'portal', address: addressHash(world.email), request: `${run}-${request}` });
    for (const identity of [FROM, DOMAIN, undefined]) {
      await verify(identity);
      const others = identity ? [] : [message({ kind: 'paying', slug: world.slug, day: run }), record('unreadable')];
      const failure = await failureOf(lambda, [signIn(`${identity}`), ...others]);
      if (failure !== undefined) return failure;
    }
    return undefined;
  };
