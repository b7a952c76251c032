import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { demoCast, PODCAST } from '../../../bin/local/demo/cast.ts';
import { type Demo, prepareDemo, webhookIdOf } from '../../../bin/local/demo/demo.ts';
import { demoTraffic } from '../../../bin/local/demo/referrals.ts';
import { ServiceFile } from '../../../bin/service/service-file.ts';
import { stripeOwner, webhookOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { DAY, milliseconds, seconds } from '../../../functions/kernel/time.ts';
import { verifyLedger } from '../../../functions/ledger/operator/ledger.ts';
import { PROGRAM as RECORD } from '../../../functions/openapi/records.ts';
import { isConvertible } from '../../../functions/referrals/rules/referral.ts';
import { REFERRAL_EVENT_TYPES } from '../../../functions/referrals/rules/referral-event.ts';
import { statisticsDifferences } from '../../../functions/statistics/operator/statistics.ts';
import { listWebhooks } from '../../../functions/webhooks/table/webhooks.ts';
import { tableOf } from '../../support/events/event-service.ts';
import { aQueuedMessage } from '../../support/events/messages.ts';
import { newId } from '../../support/program.ts';
import { end, killRemaining, type Started, start } from '../../support/start.ts';
import { atTime, itemsOf } from '../../support/table.ts';
import { until } from '../../support/until.ts';
import { useTable } from '../../support/use-table.ts';

const { id: PROGRAM } = RECORD;
const WEBHOOK = webhookIdOf(PROGRAM);
const OWNERS = [stripeOwner(PROGRAM), webhookOwner(PROGRAM, WEBHOOK)];

let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-events-'));
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'data-'));
});
afterEach(killRemaining);
afterAll(() => rm(folder, { recursive: true }));

/** The newest secrets of the demo program: with Stripe, and of its webhook. */
async function secretsIn(path: string) {
  using file = new ServiceFile(path);
  return await Promise.all(OWNERS.map(async (owner) => (await file.secrets.read(owner))[0]?.value));
}

/** The events whose signature the shop has verified, oldest first. */
async function received({ url, printed }: Started) {
  const [token = ''] = /^Program token: +(rtp_\w+)$/m.exec(printed)?.slice(1) ?? [];
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v2/webhooks/${WEBHOOK}/deliveries?per_page=50`, { headers });
  type List = { data: { attributes: { event_id: string; event: string; status: number | null } }[] };
  const { data } = (await response.json()) as List;
  const verified = data.filter(({ attributes }) => attributes.status === 204);
  return verified.map(({ attributes }) => ({ id: attributes.event_id, type: attributes.event })).toReversed();
}

/** Resolves once the shop has received a number of events. */
async function untilReceived(started: Started, count: number) {
  let events: Awaited<ReturnType<typeof received>> = [];
  await until(async () => {
    events = await received(started);
    return events.length >= count;
  });
  return events;
}

async function send({ url }: Started, action: string, form: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/demo/${action}`, { method: 'POST', headers, body: JSON.stringify(form) })).status;
}

test("npm start serves the demo site, and delivers what happens in its shop, but nothing of the demo's initial data", async () => {
  const started = await start({ DATA_DIR: dataDir });
  const [, address = ''] = /^Demo site: +(\S+)$/m.exec(started.printed) ?? [];
  expect(address).toBe(`${started.url}/demo?via=amara-okafor`);
  const page = await (await fetch(address)).text();
  const files = [...page.matchAll(/(?:src|href)="(\/[^"#]+)/g)].map(([, path]) => `${started.url}${path}`);
  const responses = await Promise.all(files.map((each) => fetch(each)));
  expect(files.length).toBeGreaterThan(5);
  expect(responses.map(({ status, url }) => [url, status])).toEqual(files.map((each) => [each, 200]));
  const email = 'mia@shop.example';
  expect(await send(started, 'sign-up', { email, gr_id: `amara-okafor.${newId()}` })).toBe(201);
  await untilReceived(started, 1);
  expect(await send(started, 'payment', { email, plan: 'House' })).toBe(200);
  await untilReceived(started, 2);
  expect(await send(started, 'cancellation', { email, plan: 'House' })).toBe(200);
  const events = await untilReceived(started, 3);
  const [id] = String(events[0]?.id).split('.');
  expect(events).toEqual([
    { id: `${id}.1`, type: 'referral.converted' },
    { id: `${id}.2`, type: 'referral.paid' },
    { id: `${id}.3`, type: 'referral.churned' },
  ]);
  await end(started, 'SIGTERM');
});

test('npm start on another port keeps the secrets, and delivers pending events there', async () => {
  const first = await start({ DATA_DIR: dataDir });
  const secrets = await secretsIn(dataDir);
  expect(secrets).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)]);
  await end(first, 'SIGKILL');
  {
    using file = new ServiceFile(dataDir);
    await file.queue.send([{ message: { ...aQueuedMessage(WEBHOOK, 7), program: PROGRAM }, delay: 0 }]);
  }

  const second = await start({ DATA_DIR: dataDir });
  expect(second.url).not.toBe(first.url);
  expect((await untilReceived(second, 1)).map(({ id }) => id)).toEqual(['a-referral.7']);
  expect(await secretsIn(dataDir)).toEqual(secrets);
  const table = tableOf(dataDir);
  expect(await listWebhooks(table, PROGRAM)).toEqual([
    expect.objectContaining({ id: WEBHOOK, url: `${second.url}/demo/webhook`, events: REFERRAL_EVENT_TYPES }),
  ]);
  table.client.destroy();
  await end(second, 'SIGTERM');
});

describe('the preparation of the demo', () => {
  // Late in a month: what is settled depends on the day.
  const createdAt = seconds(Date.UTC(2026, 10, 20) / 1000);
  const table = atTime(useTable(), () => milliseconds(createdAt * 1000));
  /** Prepares the demo. The first test of the file creates it. */
  async function prepared(at = table): Promise<Demo> {
    using file = new ServiceFile(folder);
    const demo = await prepareDemo(at, folder, file.secrets, async () => undefined);
    if (!demo) throw new Error('The table contains other programs.');
    return demo;
  }

  test('statistics, balances and the ledger of a new demo agree with its rows', async () => {
    await prepared();
    const { entries, differences } = await verifyLedger(table, PROGRAM);
    expect([entries > 1000, differences]).toEqual([true, []]);
    expect(await statisticsDifferences(table, RECORD)).toEqual([]);
  });

  test('a new demo has six promotion codes, and one application that waits', async () => {
    await prepared();
    const items = await itemsOf(table, { id: PROGRAM });
    const codes = items.flatMap(({ sk, affiliate_slug }) => (/^CODE#/.test(String(sk)) ? String(affiliate_slug) : []));
    expect([new Set(codes).size, codes.includes(PODCAST)]).toEqual([6, true]);
    expect(items.filter(({ sk }) => sk === 'APPLICATION')).toEqual([expect.objectContaining({ state: 'pending' })]);
  });

  test('a later preparation stores no second click, after an interruption and after the tokens are lost', async () => {
    const { programToken } = await prepared();
    const before = await itemsOf(table, { id: PROGRAM });
    const later = atTime(table, () => milliseconds((createdAt + DAY) * 1000));
    const file = join(folder, 'demo-tokens');
    await writeFile(file, (await readFile(file, 'utf8')).replace('complete', `storing since ${createdAt}`));
    expect((await prepared(later)).programToken).toBe(programToken);
    expect(await itemsOf(table, { id: PROGRAM })).toEqual(before);
    await rm(file);
    expect((await prepared(later)).programToken).not.toBe(programToken);
    expect(await itemsOf(table, { id: PROGRAM })).toEqual(before);
  });
});

test('with DEMO=off, /demo explains why there is no demo site, in the style of the overview', async () => {
  const started = await start({ DATA_DIR: dataDir, DEMO: 'off' });
  expect(started.printed).not.toContain(`${started.url}/demo`);
  const response = await fetch(`${started.url}/demo?via=amara-okafor`);
  const page = await response.text();
  expect([response.status, page]).toEqual([404, expect.stringContaining('There is no demo site here.')]);
  expect(page).toContain('<link rel="stylesheet" href="/local/home.css">');
  expect((await fetch(`${started.url}/demo/join`, { method: 'POST' })).status).toBe(404);
  await end(started, 'SIGTERM');
});

test('every click of a new demo is within the attribution window of its program, and expires with it', () => {
  const now = seconds(Date.UTC(2030, 0, 1) / 1000);
  const window = RECORD.attributionDays * DAY;
  const advocates = new Map(demoCast(now).map(({ advocate }) => [advocate.slug, advocate]));
  const { clicks } = demoTraffic(now);
  expect(clicks.length).toBeGreaterThan(1000);
  for (const click of clicks) {
    const age = now - click.createdAt;
    expect([age >= 0, age < window, click.expiresAt]).toEqual([true, true, click.createdAt + window]);
    const advocate = advocates.get(click.advocateSlug);
    expect(advocate && isConvertible(click, advocate, now)).toBe(true);
  }
});
