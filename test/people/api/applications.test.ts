import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { applicationOf } from '../../support/applications.ts';
import { type ApiRequest, DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { outcomeOf, visibleOf } from '../../support/responses.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const WEBSITE = { key: 'website', label: 'Your website', kind: 'url', required: true, options: [] };
const NOTE = { key: 'note', label: 'Why?', kind: 'long', required: false, options: [] };
let program: Program;
let jane: Advocate;
let token: string;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  token = await aToken(table, program);
});

describe.each(DRIVERS)('applications through %s', (_, connect) => {
  const send = connect(table);
  const call = (request: Omit<ApiRequest, 'token'>) => send({ token, ...request });
  const anyone = (operation: ApiRequest['operation'], body: object) => send({ operation, body });
  const open = (settings: object = {}) =>
    call({
      operation: 'updatePeopleSettings',
      body: { applications: 'review', application_fields: [WEBSITE, NOTE], ...settings },
    });
  const noor = (more: object = {}) => ({
    ...{
      pk: program.publicKey,
      email: 'Noor@x.example',
      first_name: 'Noor',
      answers: { website: 'https://noor.example' },
    },
    ...more,
  });
  const apply = (more: object = {}) => anyone('sendApplication', noor(more));
  const code = () => applicationOf(table, program, 'noor@x.example');
  const decide = (operation: 'approveApplication' | 'rejectApplication', id: string, body: object = {}) =>
    call({ operation, application: id, body });
  const listed = async (state: string) =>
    (await call({ operation: 'listApplications', query: `state_eq=${state}` })).json.data;
  async function pending(): Promise<string> {
    await apply();
    return (await anyone('confirmApplication', { code: await code() })).json.data.id;
  }

  test('a program shows its form only while people may apply', async () => {
    const form = () => send({ operation: 'getApplicationForm', pk: program.publicKey });
    const closed = [403, 'applications_closed', expect.any(String)];
    expect([outcomeOf(await form()), outcomeOf(await apply())]).toEqual([closed, closed]);
    await open({ apply_text: 'Earn 20%.\nFor a year.', terms_url: 'https://x.example/terms', terms_version: '1' });
    expect((await form()).json).toEqual({
      data: {
        id: program.publicKey,
        type: 'application_form',
        attributes: {
          program_name: program.name,
          accent: null,
          logo_version: null,
          apply_text: 'Earn 20%.\nFor a year.',
          terms_url: 'https://x.example/terms',
          terms_version: '1',
          application_fields: [WEBSITE, NOTE],
        },
      },
    });
    expect(outcomeOf(await apply())).toEqual([400, 'invalid_field', expect.stringMatching(/^terms_version /)]);
    expect((await apply({ terms_version: '1' })).status).toBe(204);
  });

  test('an applicant applies, looks, confirms and is approved', async () => {
    await open({ terms_version: '7' });
    expect(visibleOf(await apply({ terms_version: '7' }))).toMatchObject({ status: 204, text: '' });
    const [sent] = await listed('unconfirmed');
    const secret = await code();
    const seen = (await anyone('lookUpApplication', { code: secret })).json;
    expect(seen.data).toEqual({
      id: sent.id,
      type: 'application',
      attributes: {
        ...{ state: 'unconfirmed', email: 'noor@x.example', first_name: 'Noor', last_name: null, terms_version: '7' },
        answers: [{ key: 'website', label: 'Your website', answer: 'https://noor.example' }],
        created_at: expect.any(Number),
        program: { name: program.name, site_url: program.siteUrl },
      },
    });
    expect(outcomeOf(await decide('approveApplication', sent.id))).toEqual([
      404,
      'application_not_found',
      expect.any(String),
    ]);
    const confirmed = await anyone('confirmApplication', { code: secret });
    expect(confirmed.json.data).toEqual({ ...seen.data, attributes: { ...seen.data.attributes, state: 'pending' } });
    // A repetition changes nothing.
    await expectUnchanged(table, async () =>
      expect((await anyone('confirmApplication', { code: secret })).json).toEqual(confirmed.json),
    );
    expect(await listed('unconfirmed')).toEqual([]);
    const { program: _, ...attributes } = confirmed.json.data.attributes;
    const nothing = { decided_at: null, affiliate_slug: null, note: null, notify: null, may_apply_again: null };
    const resource = {
      ...confirmed.json.data,
      attributes: { ...attributes, confirmed_at: expect.any(Number), flags: [], ...nothing },
    };
    expect(await listed('pending')).toEqual([resource]);
    const approved = await decide('approveApplication', sent.id, { last_name: 'Haddad', uid: 'p-1' });
    expect([approved.status, approved.json.data.attributes]).toEqual([
      201,
      expect.objectContaining({
        ...{ email: 'noor@x.example', first_name: 'Noor', last_name: 'Haddad', uid: 'p-1', slug: 'noor-haddad' },
        ...{ terms_version: '7', accepted_at: seen.data.attributes.created_at },
      }),
    ]);
    await expectUnchanged(table, async () => {
      const again = await decide('approveApplication', sent.id);
      expect([again.status, again.json]).toEqual([200, approved.json]);
      expect(outcomeOf(await decide('rejectApplication', sent.id))).toEqual([
        409,
        'application_decided',
        expect.any(String),
      ]);
    });
    expect((await listed('approved'))[0].attributes.affiliate_slug).toBe('noor-haddad');
  });

  test('a taken slug or uid changes nothing, and a rejection is final', async () => {
    await open();
    const id = await pending();
    await expectUnchanged(table, async () => {
      expect(outcomeOf(await decide('approveApplication', id, { slug: jane.slug }))).toEqual([
        409,
        'slug_taken',
        expect.any(String),
      ]);
      expect(outcomeOf(await decide('approveApplication', id, { email: 'eve@x.example', slug: 'x y' }))).toEqual([
        400,
        'invalid_field',
        expect.stringMatching(/^slug /),
      ]);
    });
    const rejection = { note: 'Not now.\nSorry.', notify: true, may_apply_again: false };
    const rejected = await decide('rejectApplication', id, rejection);
    expect(rejected.json.data.attributes).toMatchObject({ state: 'rejected', ...rejection });
    await expectUnchanged(table, async () => {
      expect((await decide('rejectApplication', id, { note: 'Other' })).json).toEqual(rejected.json);
      expect(outcomeOf(await decide('approveApplication', id))).toEqual([
        409,
        'application_decided',
        expect.any(String),
      ]);
    });
  });

  test.each<[string, object, RegExp]>([
    ['a missing answer', { answers: {} }, /^answers\.website is required/],
    [
      'an unknown answer',
      { answers: { website: 'https://x.example', age: '7' } },
      /^answers must have only these keys/,
    ],
    [
      'an address that runs code',
      { answers: { website: 'javascript:alert(1)' } },
      /^answers\.website must be a web address/,
    ],
    [
      'a long answer',
      { answers: { website: `https://x.example/${'x'.repeat(3000)}` } },
      /^answers\.website must be 1 to 500/,
    ],
    ['a control character', { answers: { website: 'https://x.example', note: 'a\u0000b' } }, /^answers\.note /],
    ['an address without a domain', { email: 'noor' }, /^email /],
  ])('%s is refused, and the error names the field', async (_, more, message) => {
    await open();
    await expectUnchanged(table, async () =>
      expect(outcomeOf(await apply(more))).toEqual([400, 'invalid_field', expect.stringMatching(message)]),
    );
  });

  test('a link tells of a rejection only if the merchant does', async () => {
    await open();
    for (const [notify, state] of [
      [false, 'pending'],
      [true, 'rejected'],
    ] as const) {
      await apply();
      const secret = await code();
      const { id } = (await anyone('confirmApplication', { code: secret })).json.data;
      await decide('rejectApplication', id, { notify, may_apply_again: true });
      expect((await anyone('lookUpApplication', { code: secret })).json.data.attributes.state).toBe(state);
    }
  });

  test('a robot that fills the hidden field gets the same response, and nothing is stored', async () => {
    await open();
    const before = visibleOf(await apply());
    await expectUnchanged(table, async () => expect(visibleOf(await apply({ leave_empty: '1' }))).toEqual(before));
  });

  test('a malformed question is refused, and the error names it', async () => {
    const field = (more: object) => open({ application_fields: [{ ...WEBSITE, ...more }] });
    for (const [more, name] of [
      [{ key: 'Web site' }, 'application_fields.0.key'],
      [{ label: undefined }, 'application_fields.0.label '],
      [{ kind: 'choice' }, 'application_fields.0.options'],
      [{ options: ['a'] }, 'application_fields.0.options'],
      [{ kind: 'choice', options: ['a', 'a'] }, 'application_fields.0.options'],
    ] as const) {
      const [status, errorCode, message] = outcomeOf(await field(more));
      expect([status, errorCode]).toEqual([400, 'invalid_field']);
      expect(message).toMatch(new RegExp(`^${name}`));
    }
    expect(outcomeOf(await open({ application_fields: [WEBSITE, WEBSITE] }))[0]).toBe(400);
    expect(outcomeOf(await open({ terms_url: 'http://x.example' }))[0]).toBe(400);
  });

  test('an advocate is invited once a day', async () => {
    const invite = (slug: string) => call({ operation: 'inviteAdvocate', slug });
    expect((await invite(jane.slug)).status).toBe(204);
    await expectUnchanged(table, async () => {
      expect((await invite(jane.slug)).status).toBe(204);
      expect(outcomeOf(await invite(`nobody-${newId()}`))[1]).toBe('advocate_not_found');
    });
  });
});
