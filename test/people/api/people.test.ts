import { beforeEach, describe, expect, test } from '@jest/globals';
import { revokeAdvocateTokens, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { type Program, publicKeyOf } from '../../../functions/kernel/accounts/rules/program.ts';
import type { Scope } from '../../../functions/kernel/accounts/rules/token.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { EMAIL_KINDS } from '../../../functions/people/rules/emails/kinds.ts';
import type { SignInPage } from '../../../functions/people/rules/link-budget.ts';
import { removeMember, updateMember } from '../../../functions/people/table/members.ts';
import { type ApiRequest, DRIVERS, sendToHandlers } from '../../support/drivers.ts';
import { codeIn, mailboxOf, messageOf } from '../../support/people.ts';
import { anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { outcomeOf, visibleOf } from '../../support/responses.ts';
import { atTime } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let jane: Advocate;
let token: string;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  token = await aToken(table, program);
});

async function codeFor(email: string | null, page: SignInPage): Promise<string> {
  const mailbox = mailboxOf(table);
  const cause = { kind: 'sign_in', page, address: addressHash(email ?? ''), request: newId() } as const;
  await mailbox.deliver(messageOf(table, program.id, cause));
  return codeIn(mailbox.emails[0] ?? { text: '' });
}

describe.each(DRIVERS)('people through %s', (_, connect) => {
  const send = connect(table);
  const page = sendToHandlers(table);
  const call = (request: Omit<ApiRequest, 'token'>, by: string | undefined = token) => send({ token: by, ...request });
  const anyone = (operation: ApiRequest['operation'], body: object) => send({ operation, body });
  const session = async (email: string | null, page: SignInPage): Promise<string> =>
    (await anyone('createSession', { code: await codeFor(email, page) })).json.data.attributes.token;
  const member = (email: string, ...scopes: Scope[]) =>
    call({ operation: 'createMember', body: { email, name: 'Sam', scopes } });

  test('a request for a link looks the same for every address, and refuses an unknown program', async () => {
    const ask = (email: unknown, pk = program.publicKey) => anyone('requestSignIn', { pk, email, page: 'portal' });
    const responses = [await ask(jane.email), await ask('nobody@x.example'), await ask(jane.email)].map(visibleOf);
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(responses[0]).toMatchObject({ status: 204, text: '' });
    expect(outcomeOf(await ask(jane.email, `pk_${newId().replaceAll('-', '')}`))).toEqual([
      400,
      'invalid_field',
      expect.stringMatching(/^pk /),
    ]);
    expect(outcomeOf(await ask('jane'))).toEqual([
      400,
      'invalid_field',
      'email must be an email address such as name@example.com',
    ]);
  });

  test('an advocate signs in, changes its own data, and signs out', async () => {
    const created = await anyone('createSession', { code: await codeFor(jane.email, 'portal') });
    expect([created.status, created.json]).toEqual([
      201,
      {
        data: {
          id: expect.any(String),
          type: 'session',
          attributes: { token: expect.stringMatching(/^rta_/), expires_at: expect.any(Number) },
        },
      },
    ]);
    const own: string = created.json.data.attributes.token;
    const change = (body: object, by = own) => call({ operation: 'updateAffiliate', body }, by);
    const body = {
      first_name: 'Janet',
      emails_off: ['settled', 'settled'],
      payout_method: 'paypal',
      payout_account: 'jane@pay.example',
    };
    const changed = await change(body);
    expect(changed.json.data.attributes).toMatchObject({
      first_name: 'Janet',
      emails_off: ['settled'],
      payout_account: 'j***@pay.example',
      payout_pending_until: expect.any(Number),
    });
    await expectUnchanged(table, async () => expect((await change(body)).status).toBe(200));
    expect((await call({ operation: 'getAffiliate' }, own)).json).toEqual(changed.json);
    const given = await aToken(table, program, jane);
    expect(outcomeOf(await change({ first_name: 'J' }, given))).toEqual([403, 'sign_in_required', expect.any(String)]);
    const later = sendToHandlers(atTime(table, () => milliseconds(Date.now() + 901_000)));
    const late = (json: object) => later({ operation: 'updateAffiliate', token: own, body: json });
    expect(outcomeOf(await late(body))).toEqual([403, 'sign_in_too_old', expect.any(String)]);
    expect((await late({ last_name: null })).status).toBe(200);
    expect(outcomeOf(await call({ operation: 'deleteSession' }, given))).toEqual([
      403,
      'forbidden',
      'This operation requires a token from a sign-in',
    ]);
    expect((await call({ operation: 'deleteSession' }, own)).status).toBe(204);
    expect((await sendToHandlers(table)({ operation: 'getAffiliate', token: own })).status).toBe(401);
  });

  test('a used, unknown or malformed code is refused with one sentence', async () => {
    const code = await codeFor(jane.email, 'portal');
    await anyone('createSession', { code });
    for (const wrong of [code, `${code.slice(0, -4)}AAAA`, 'A'.repeat(86), 'x']) {
      for (const operation of ['createSession', 'undoPayoutAccount'] as const) {
        expect(outcomeOf(await anyone(operation, { code: wrong }))).toEqual([
          400,
          'invalid_link',
          'The link was used or has expired. Ask for a new one.',
        ]);
      }
    }
  });

  test('members are created, listed, changed and removed, with exactly the documented fields', async () => {
    const created = await member('Sam@acme.example', 'admin', 'read');
    const data = {
      id: expect.any(String),
      type: 'member',
      attributes: {
        email: 'sam@acme.example',
        name: 'Sam',
        scopes: ['read', 'admin'],
        created_at: expect.any(Number),
        last_signed_in_at: null,
      },
    };
    expect([created.status, created.json]).toEqual([201, { data }]);
    const { id } = created.json.data;
    const again = await member('sam@acme.example', 'read', 'admin');
    expect([again.status, again.json]).toEqual([200, created.json]);
    expect(outcomeOf(await member('sam@acme.example', 'read'))).toEqual([409, 'member_exists', expect.any(String)]);
    expect((await call({ operation: 'listMembers' })).json).toEqual({ data: [data] });
    const change = (body: object) => call({ operation: 'updateMember', id, body });
    expect((await change({ name: null })).json.data.attributes).toMatchObject({
      name: null,
      scopes: ['read', 'admin'],
    });
    expect(outcomeOf(await change({ scopes: ['read'] }))).toEqual([409, 'last_admin', expect.any(String)]);
    const own = await session('sam@acme.example', 'dashboard');
    const made = await call({ operation: 'createProgramToken', body: { scopes: ['read'], name: 'Sheet' } }, own);
    expect((await call({ operation: 'getProgram' }, own)).json.meta.token).toMatchObject({
      scopes: ['read', 'admin'],
      member: { id },
    });
    await member('ida@acme.example', 'admin');
    const removed = await call({ operation: 'removeMember', id });
    expect([removed.status, removed.json.data.id, removed.json.meta.tokens]).toEqual([
      200,
      id,
      [expect.objectContaining({ id: made.json.data.id })],
    ]);
    const fresh = sendToHandlers(table);
    for (const ended of [own, made.json.data.attributes.token]) {
      expect((await fresh({ operation: 'listReferralsV2', token: ended })).status).toBe(401);
    }
    expect(outcomeOf(await call({ operation: 'removeMember', id }))).toEqual([
      404,
      'member_not_found',
      'Member not found',
    ]);
  });

  test('a member gives no scope that it lacks, and changes nobody who has one', async () => {
    await member('boss@acme.example', 'admin', 'payouts');
    await member('sam@acme.example', 'admin', 'read');
    const { json } = await call({ operation: 'listMembers' });
    const [boss, sam] = json.data.map(({ id }: { id: string }) => id);
    const own = await session('sam@acme.example', 'dashboard');
    await expectUnchanged(table, async () => {
      for (const request of [
        { operation: 'createMember', body: { email: 'x@y.example', scopes: ['read', 'payouts'] } },
        { operation: 'updateMember', id: sam, body: { scopes: ['admin', 'payouts'] } },
        { operation: 'updateMember', id: boss, body: { name: 'Nobody' } },
        { operation: 'removeMember', id: boss },
        { operation: 'createProgramToken', body: { scopes: ['payouts'] } },
      ] as const) {
        expect(outcomeOf(await call(request, own))).toEqual([403, 'missing_scope', expect.stringContaining('payouts')]);
      }
    });
  });

  test('an advocate that is still remembered changes nothing after its session', async () => {
    const { slug, email } = jane;
    const endings = [
      () => revokeAdvocateTokens(table, program.id, slug),
      async () => {
        await updateAdvocate(table, program.id, slug, { email: 'other@x.example' });
        await updateAdvocate(table, program.id, slug, { email });
      },
      (own: string) => sendToHandlers(table)({ operation: 'deleteSession', token: own }),
    ];
    for (const end of endings) {
      const own = await session(email, 'portal');
      expect((await call({ operation: 'updateAffiliate', body: {} }, own)).status).toBe(200);
      await end(own);
      await expectUnchanged(table, async () => {
        const body = { payout_method: 'paypal', payout_account: 'thief@x.example' };
        expect((await call({ operation: 'updateAffiliate', body }, own)).status).toBe(401);
        expect((await sendToHandlers(table)({ operation: 'getAffiliate', token: own })).status).toBe(401);
      });
    }
  });

  test('a member that is still remembered changes no member after it was demoted or removed', async () => {
    const boss = (await member('boss@acme.example', 'admin')).json.data.id;
    for (const end of [
      (id: string) => updateMember(table, program.id, id, { changes: { scopes: ['read'] } }),
      (id: string) => removeMember(table, program.id, id),
    ]) {
      const { id } = (await member('sam@acme.example', 'admin', 'read')).json.data;
      const own = await session('sam@acme.example', 'dashboard');
      const tokenWith = async (scope: Scope): Promise<string> =>
        (await call({ operation: 'createProgramToken', body: { scopes: [scope], name: scope } }, own)).json.data
          .attributes.token;
      expect((await call({ operation: 'listMembers' }, await tokenWith('read'))).status).toBe(403);
      const tokens = [own, await tokenWith('admin')];
      for (const by of tokens) expect((await call({ operation: 'listMembers' }, by)).status).toBe(200);
      await end(id);
      await expectUnchanged(table, async () => {
        for (const request of [
          { operation: 'createMember', body: { email: 'evil@y.example', scopes: ['admin'] } },
          { operation: 'updateMember', id, body: { scopes: ['admin'] } },
          { operation: 'removeMember', id: boss },
        ] as const) {
          for (const by of tokens) expect((await call(request, by)).status).not.toBe(200);
          for (const by of tokens)
            expect((await sendToHandlers(table)({ ...request, token: by })).status).toBeGreaterThan(400);
        }
      });
      await call({ operation: 'removeMember', id });
    }
  });

  test('the settings of emails are changed one by one, and previews show them', async () => {
    const change = (body: object) => call({ operation: 'updatePeopleSettings', body });
    const changed = await change({
      reply_to: 'partners@acme.example',
      email_texts: { settled: 'Thank you, {first_name}!' },
    });
    const attributes = {
      reply_to: 'partners@acme.example',
      postal_address: null,
      email_texts: { settled: 'Thank you, {first_name}!' },
      emails_off: [],
      ...{ applications: 'closed', apply_text: null, terms_url: null, terms_version: null, application_fields: [] },
    };
    expect([changed.status, changed.json]).toEqual([200, { data: { id: program.id, type: 'people', attributes } }]);
    await expectUnchanged(table, () => change({ reply_to: 'partners@acme.example', email_texts: {} }));
    const texts = async (email_texts: object | null) =>
      (await change({ email_texts })).json.data.attributes.email_texts;
    expect(await texts({ paying: 'New!', invited: null })).toEqual({ paying: 'New!', ...attributes.email_texts });
    expect(await texts({ paying: null })).toEqual(attributes.email_texts);
    expect([await texts(null), await texts(attributes.email_texts)]).toEqual([{}, attributes.email_texts]);
    expect((await call({ operation: 'getPeopleSettings' })).json).toEqual(changed.json);
    for (const kind of EMAIL_KINDS) {
      const { json } = await call({ operation: 'previewEmail', body: { kind } });
      expect(json.data).toMatchObject({
        id: kind,
        type: 'email',
        attributes: { subject: expect.any(String), html: expect.stringContaining('<html') },
      });
      expect(json.data.attributes.text.includes('Thank you')).toBe(kind === 'settled');
      expect(json.data.attributes.text.includes(`#program=${program.publicKey}`)).toBe(kind !== 'rejected');
    }
  });

  test('the page of unsubscribing changes nothing until its button is pressed', async () => {
    const mailbox = mailboxOf(table);
    await mailbox.deliver(messageOf(table, program.id, { kind: 'paying', slug: jane.slug, day: '2026-11-28' }));
    const value = /unsubscribe\/([^>]*)>/.exec(mailbox.emails[0]?.headers['List-Unsubscribe'] ?? '')?.[1] ?? '';
    await expectUnchanged(table, async () => {
      const { headers, text } = await page({ operation: 'showUnsubscribe', value });
      expect([headers['content-type'], text]).toEqual([
        'text/html; charset=utf-8',
        expect.stringContaining('<button>'),
      ]);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect((await page({ operation: 'unsubscribe', value: `${value}x` })).status).toBe(200);
    });
    const account = `<a href="../../account#program=${publicKeyOf(program.id)}">`;
    for (let count = 0; count < 2; count += 1) {
      const done = await page({ operation: 'unsubscribe', value });
      expect([done.status, done.text]).toEqual([200, expect.stringContaining(account)]);
    }
    const own = await session(jane.email, 'portal');
    expect((await call({ operation: 'getAffiliate' }, own)).json.data.attributes.emails_off).toEqual([
      'paying',
      'settled',
    ]);
  });

  test('an address is forgotten with its codes, and the response says nothing', async () => {
    const code = await codeFor(jane.email, 'portal');
    const erase = (email: string | null) => call({ operation: 'erasePerson', body: { email } });
    const responses = [await erase(jane.email), await erase(jane.email), await erase('nobody@x.example')].map(
      visibleOf,
    );
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect((await anyone('createSession', { code })).status).toBe(400);
  });
});
