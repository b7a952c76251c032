import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { codeIn } from '../../support/people.ts';
import { end, killRemaining, start } from '../../support/start.ts';

let folder = '';
afterAll(async () => {
  await killRemaining();
  await rm(folder, { recursive: true });
});

test('an advocate and a member sign in with the links in /outbox, which has no email about the data of the demo', async () => {
  folder = await mkdtemp(join(tmpdir(), 'emails-'));
  const started = await start({ DATA_DIR: folder });
  const send = async (path: string, token?: string, body?: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const text = await (await fetch(`${started.url}${path}`, init)).text();
    return text.startsWith('{') ? JSON.parse(text) : text;
  };
  /** The recipients of all emails once there are so many, the oldest first. */
  const untilSent = async (count: number): Promise<string[]> => {
    const recipients = [...String(await send('/outbox')).matchAll(/^To: (.+)$/gm)].map(([, to = '']) => to);
    return recipients.length < count ? untilSent(count) : recipients.toReversed();
  };
  const [, pk = ''] = /^Account by email: .*#program=(\w+)/m.exec(started.printed) ?? [];
  const [, token = ''] = /^Program token: +(\w+)/m.exec(started.printed) ?? [];
  const [advocate = '', member = ''] = [...started.printed.matchAll(/\(sign in as (.+)\)$/gm)].map(([, to]) => to);
  expect(await send('/v2/sign-in', undefined, { pk, email: advocate, page: 'portal' })).toBe('');
  await untilSent(1);
  await send('/v2/sign-in', undefined, { pk, email: member, page: 'dashboard' });
  await untilSent(2);
  const slug = 'amara-okafor';
  await send('/v2/settlements', token, { affiliate_slug: slug, settlement_id: 's', amount: 1, currency: 'eur' });
  expect(await untilSent(3)).toEqual([advocate, member, advocate]);
  const signIn = async (email: string, page: string) => {
    const html = await send(email);
    expect(html).toContain(`href="${started.url}${page}#code=`);
    return (await send('/v2/session', undefined, { code: codeIn({ text: html }) })).data.attributes.token;
  };
  const affiliate = await send('/v2/affiliate', await signIn('/outbox/1', '/account'));
  expect(affiliate.data.attributes.slug).toBe(slug);
  const { meta } = await send('/v2/program', await signIn('/outbox/2', '/dashboard'));
  expect(meta.token.member.email).toBe(member);
  expect(await end(started, 'SIGTERM')).toBe(0);
});
