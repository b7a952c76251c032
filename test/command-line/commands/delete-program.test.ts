import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { putCode } from '../../../functions/codes/table/put-code.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { newToken, SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import { callersOf } from '../../../functions/kernel/accounts/table/callers.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { stripeOwner, webhookOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { milliseconds, seconds, systemClock } from '../../../functions/kernel/time.ts';
import { noSums } from '../../../functions/ledger/rules/sums.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/ledger/table/payments.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import { createMissingTable } from '../../../functions/operator/create-table.ts';
import { makeLinkCode } from '../../../functions/people/rules/link-code.ts';
import { approveApplication, listApplications } from '../../../functions/people/table/applications/decide.ts';
import { sendApplication } from '../../../functions/people/table/applications/send.ts';
import { createMember } from '../../../functions/people/table/members.ts';
import { changePeopleSettings } from '../../../functions/people/table/people-settings.ts';
import { keepPreviousEmail } from '../../../functions/people/table/previous-emails.ts';
import { markAsSent } from '../../../functions/people/table/sent-emails.ts';
import { signIn } from '../../../functions/people/table/sessions.ts';
import { requestLink } from '../../../functions/people/table/sign-in-links.ts';
import { parseLogo } from '../../../functions/program/rules/logo.ts';
import { replaceLogo } from '../../../functions/program/table/logo.ts';
import { createProgramToken } from '../../../functions/program/table/program-changes.ts';
import { replaceResources } from '../../../functions/program/table/resources.ts';
import { importNotes } from '../../../functions/referrals/operator/import-note.ts';
import { setReferralState } from '../../../functions/referrals/table/referrals.ts';
import { noteApiVersion } from '../../../functions/stripe/table/api-version.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { clickRecorder } from '../../../functions/tracking/table/clicks.ts';
import { recordDelivery } from '../../../functions/webhooks/table/deliveries.ts';
import { adminWith, useServiceFolder } from '../../support/admin-here.ts';
import { anApplication, NOOR, takeApplications } from '../../support/applications.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { putSums } from '../../support/ledger/entries.ts';
import { ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId, now } from '../../support/program.ts';
import { countStream } from '../../support/statistics/statistics.ts';
import { aCheckout } from '../../support/stripe/stripe.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { allItems } from '../../support/table.ts';
import { aGroup, setRules } from '../../support/terms.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
beforeAll(() => createMissingTable(table, { stream: true }));
const folder = useServiceFolder();

const SECRET = { value: 'whsec_0123456789abcdef', createdAt: milliseconds(1) };
let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table, { mode: 'test' });
  jane = await anAdvocate(table, program, { uid: 'uid of jane' });
});

const nothing = async (): Promise<unknown> => undefined;

/** Runs `program delete`. `pause` replaces its first wait, for cached data; `settling` the second, for late requests. */
async function deletion(pause = nothing, { id = program.id, settling = nothing } = {}) {
  const waits: number[] = [];
  const setting = {
    table,
    parts: folder.parts,
    pause: async (duration: number) => {
      waits.push(duration);
      await (waits.length === 1 ? pause() : settling());
    },
  };
  const { status, stdout, stderr } = await adminWith(setting, 'program', 'delete', '--program', id, '--json');
  return { status, stderr, waits, deleted: status === 0 ? JSON.parse(stdout).deleted : undefined };
}

/** The items that contain the program's id in any attribute. */
const remaining = async (): Promise<Item[]> =>
  (await allItems(table)).filter((item) => JSON.stringify(item).includes(program.id));
/** The records of Stripe's events contain nothing but their expiry. Nothing leads to them. */
const recordsOfStripe = (items: readonly Item[]) =>
  items.filter(({ pk, sk, expires_at, referral, ...more }) => sk === 'IDEMPOTENCY' && Object.keys(more).length === 0);
/** Limits and codes of links, and marks of emails, until they expire. */
const ofLinks = (items: readonly Item[]) =>
  items.filter(
    ({ sk, expires_at: end }) => /^(?:LINKS#|CODE#|MAIL$)/.test(String(sk)) && Number(end) <= now() + 15 * 86_400,
  );
const NOTHING = { advocates: 0, referrals: 0, tokens: 0, webhooks: 0 };

/** Stores an entry of each kind with what leads to it, and sums. */
async function fillLedger(id: string): Promise<void> {
  const ledger = ledgerOf(program);
  const own = { slug: jane.slug, currency: 'usd' };
  const { entry } = await recordPayment(table, ledger, paymentOf({ id }));
  const paymentId = entry.paymentId ?? '';
  await recordRefund(table, ledger, { paymentId, refundId: newId(), amount: 1, refundedAt: null });
  await recordVoid(table, ledger, { paymentId, note: 'Fraud' });
  await recordAdjustment(table, ledger, { ...own, adjustmentId: newId(), commission: 1, note: 'Bonus' });
  const settlement = { ...own, amount: 1, reference: null, settledAt: null };
  await recordSettlement(table, ledger, { ...settlement, settlementId: newId() });
  await putSums(table, program, jane.slug, { ...noSums(), position: '', version: 1 });
}

/** Stores rules, also former ones, a logo and resources, a group, codes with the claims of Stripe's, and the note of an API version. */
async function fillTerms(): Promise<void> {
  for (const percentage of [10, 20]) await setRules(table, program, [{ percentage }]);
  await aGroup(table, program, 'partners', [{ percentage: 30 }]);
  for (const promotionCodeId of ['promo_1', 'promo_2']) {
    await putCode(table, program.id, { code: 'JANE20', slug: jane.slug, promotionCodeId });
  }
  await putCode(table, program.id, { code: 'OLD', slug: jane.slug, active: false });
  await replaceLogo(table, program.id, parseLogo('image', '/9j/'));
  await replaceResources(table, program.id, [{ title: 'Banner', text: null, url: null }]);
  await noteApiVersion(table, program.id, { before: undefined, version: '2024-06-20' });
}

/** Stores members, a session, settings, an address before a change, and what stays until it expires. */
async function fillPeople(): Promise<void> {
  const sam = { email: 'sam@example.com', name: null, scopes: SCOPES };
  const { member } = await createMember(table, program.id, sam);
  await changePeopleSettings(table, program.id, { replyTo: 'us@example.com' });
  await keepPreviousEmail(table, program.id, { slug: jane.slug, version: 1, previous: 'old@example.com' });
  await takeApplications(table, program);
  const applications = [1, 2, 3].map((number) => ({ ...NOOR, email: `noor-${number}-${newId()}@x.example` }));
  for (const application of applications.slice(1)) await anApplication(table, program, application);
  await sendApplication(table, program.id, applications[0] ?? NOOR);
  const [pending] = (await listApplications(table, program.id, 'pending', { start: { skip: 0 }, size: 9 }))
    .applications;
  await approveApplication(table, program, pending?.id ?? '', {});
  const address = addressHash(sam.email);
  await requestLink(table, program.id, { address, page: 'dashboard' });
  const stored = {
    purpose: 'sign_in',
    application: null,
    slug: null,
    member: member.id,
    emailVersion: 0,
    expiresAt: seconds(now() + 900),
  } as const;
  const codes = [1, 2].map(() => ({ code: makeLinkCode(program.id, address, table.random), stored }));
  await markAsSent(table, { program: program.id, name: 'email', people: [], codes });
  for (const { code } of codes.slice(1)) await signIn(table, code, false);
}

/** Stores an item of each kind in the program. */
async function fill() {
  const john = await anAdvocate(table, program);
  const click = await aClick(table, program, jane, { subId: 'news' });
  await aClick(table, program, john);
  const input = { by: { slug: jane.slug, clickId: click.id }, email: anEmail(), uid: 'customer', key: 'key' };
  const { referral } = await track(table, program, input);
  await setReferralState(table, program.id, referral.id, { state: 'paid', actor: 'merchant' });
  await applyStripeEvent(
    table,
    program,
    aCheckout({ uid: newId(), customer: 'cus_1', grId: `${jane.slug}.${newId()}` }),
  );
  await aReferral(table, program, john, { state: 'rejected' });
  await fillLedger(referral.id);
  const record = newToken({ scopes: SCOPES }, newId(), now());
  const tokens = { program: await aToken(table, program), affiliate: await aToken(table, program, jane) };
  await createProgramToken(table, program.id, { token: `rtp_${newId()}`, record });
  const { id: webhook } = await aWebhook(table, program);
  const delivery = { eventId: 'a.1', eventType: 'referral.paid', status: 200, error: null, attempt: 1, durationMs: 1 };
  await recordDelivery(table, program.id, webhook, { ...delivery, startedAt: table.clock() });
  await importNotes(table, program.id)();
  await fillTerms();
  await fillPeople();
  const owners = [stripeOwner(program.id), webhookOwner(program.id, webhook)];
  for (const owner of owners) await folder.parts.secrets.add(owner, SECRET);
  await countStream(table);
  return { owners, tokens };
}
const FILLED = { advocates: 3, referrals: 4, tokens: 4, webhooks: 1 };

async function expectNothing(owners: Awaited<ReturnType<typeof fill>>['owners']) {
  const items = await remaining();
  const linked = ofLinks(items);
  expect(items.filter((item) => !linked.includes(item))).toEqual(recordsOfStripe(items));
  const kinds = new Set(linked.map(({ sk }) => String(sk).replace(/#.*/, '')));
  expect(kinds).toEqual(new Set(['CODE', 'LINKS', 'MAIL']));
  for (const owner of owners) expect(await folder.parts.secrets.read(owner)).toEqual([]);
}

describe('program delete', () => {
  test('a test program is deleted with everything in it, and other programs stay', async () => {
    const other = await aProgram(table);
    const others = async () => (await allItems(table)).filter((item) => JSON.stringify(item).includes(other.id));
    await aReferral(table, other, await anAdvocate(table, other));
    const { owners } = await fill();
    const before = await others();
    expect(await deletion()).toMatchObject({ status: 0, waits: [30_000, 10_000], deleted: FILLED });
    await expectNothing(owners);
    expect(await others()).toEqual(before);
    expect(await deletion()).toEqual({ status: 0, stderr: '', waits: [], deleted: NOTHING });
  });

  test('the program is stopped before the command waits: tokens and public key are unknown, webhooks are disabled', async () => {
    const { tokens } = await fill();
    const seen: unknown[] = [];
    await deletion(async () => {
      const callers = callersOf(systemClock);
      seen.push(await callers.byToken(table, tokens.program), await callers.byToken(table, tokens.affiliate));
      seen.push(await callers.byPublicKey(table, program.publicKey));
      const click = { publicKey: program.publicKey, slug: jane.slug, clickId: newId(), subId: null };
      seen.push(await clickRecorder(systemClock)(table, click).catch(({ code }: { code: string }) => code));
      seen.push((await remaining()).filter(({ sk, enabled }) => sk === 'WEBHOOK' && enabled !== false));
      // Nothing else is deleted yet.
      seen.push((await remaining()).filter(({ sk }) => sk === 'REFERRAL').length);
    });
    expect(seen).toEqual([undefined, undefined, undefined, 'invalid_field', [], 4]);
  });

  test('a live program with advocates stays unchanged, and one without advocates is deleted', async () => {
    const live = await aProgram(table);
    await anAdvocate(table, live);
    await expectUnchanged(table, async () => {
      const { status, stderr } = await deletion(nothing, { id: live.id });
      expect([status, stderr]).toEqual([1, expect.stringMatching(/^The program is live and has advocates/)]);
    });
    const empty = await aProgram(table);
    await aToken(table, empty);
    expect((await deletion(nothing, { id: empty.id })).deleted).toEqual({ ...NOTHING, tokens: 1 });
    expect(JSON.stringify(await allItems(table))).not.toContain(empty.id);
  });
});

describe('an interrupted deletion', () => {
  /** Kills the command before its request with this number. Returns false if it has sent fewer. */
  async function killedAt(number: number): Promise<boolean> {
    let requests = 0;
    const name = 'kill';
    table.client.middlewareStack.add(
      (next) => async (args) => {
        requests += 1;
        if (requests >= number) throw new Error('The process was killed.');
        return next(args);
      },
      { step: 'initialize', name },
    );
    const { status } = await deletion();
    table.client.middlewareStack.remove(name);
    return status !== 0;
  }

  test('a repetition after a kill before any request deletes the rest', async () => {
    const { owners } = await fill();
    let kills = 0;
    while (await killedAt(kills + 1)) kills += 1;
    expect(kills).toBeGreaterThan(20);
    await expectNothing(owners);
  });

  test('program list reports a program whose deletion was interrupted, and no longer lists it', async () => {
    await deletion(() => Promise.reject(new Error('The process was killed.')));
    const { stdout, stderr } = await adminWith({ table }, 'program', 'list', '--json');
    expect(stderr).toContain(`The deletion of ${program.id} was interrupted. Run \`program delete\` again.\n`);
    expect(stdout).not.toContain(program.id);
    expect(await deletion()).toMatchObject({ status: 0, deleted: { ...NOTHING, advocates: 1 } });
  });
});

describe('races with a deletion', () => {
  test.each([true, false])(
    'a conversion during the deletion is deleted with its claims, after a click: %s',
    async (isClick) => {
      const clickId = isClick ? (await aClick(table, program, jane)).id : null;
      // Without a click, the first transaction deletes the advocate, which has no referrals yet.
      const convert = () => track(table, program, { by: { slug: jane.slug, clickId }, key: newId(), uid: newId() });
      const { deleted } = await deletion(async () => beforeNext(table, 'TransactWriteItemsCommand', convert));
      expect(deleted).toEqual({ ...NOTHING, advocates: 1, referrals: 1 });
      expect(await remaining()).toEqual([]);
    },
  );

  test('an advocate that is created while the others are deleted is deleted', async () => {
    const create = () => anAdvocate(table, program, { uid: 'late' });
    const { deleted } = await deletion(async () => beforeNext(table, 'TransactWriteItemsCommand', create));
    expect(deleted).toEqual({ ...NOTHING, advocates: 2 });
    expect(await remaining()).toEqual([]);
  });

  test('an advocate that is created while a late advocate is deleted is deleted', async () => {
    const settling = async () => {
      await anAdvocate(table, program, { uid: 'late' });
      beforeNext(table, 'TransactWriteItemsCommand', () => anAdvocate(table, program, { uid: 'later' }));
    };
    const { deleted } = await deletion(nothing, { settling });
    expect(deleted).toEqual({ ...NOTHING, advocates: 3 });
    expect(await remaining()).toEqual([]);
  });
});
