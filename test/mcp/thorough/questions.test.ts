import { beforeAll, describe, expect, test } from '@jest/globals';
import { functionsOf } from '../../../bin/local/gateway.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { createMissingTable } from '../../../functions/operator/create-table.ts';
import type { OperationId } from '../../../functions/routes.ts';
import { NO_SECRETS, partsOf, sendToHandlers, useGateway } from '../../support/drivers.ts';
import { requestWith, useAssistants } from '../../support/mcp.ts';
import { anAdvocate, aToken } from '../../support/program.ts';
import { countStream } from '../../support/statistics/statistics.ts';
import { aWebhook, failForFiveDays } from '../../support/table/webhooks.ts';
import { atTime } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table: stored, program } = await useProgram({}, { slug: 'jane-doe', firstName: 'Jane' });
const NOW = Date.parse('2026-03-10T12:00:00Z');
let moment = milliseconds(NOW);
const table = atTime(stored, () => moment);
const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));
const connect = useAssistants(() => gateway.url());
const send = sendToHandlers(table);
const token = await aToken(table, program);
const failing = await aWebhook(table, program, { url: 'https://billing.example/hooks' });

beforeAll(async () => {
  await createMissingTable(stored, { stream: true });
  await anAdvocate(table, program, { slug: 'omar', firstName: 'Omar', email: 'omar@partners.example' });
  await anAdvocate(table, program, { slug: 'lea', firstName: 'Lea', email: 'lea@partners.example' });
  const at = async (time: string, operation: OperationId, body: object) => {
    moment = milliseconds(Date.parse(time));
    const { status, json } = await send({ operation, token, body });
    expect([operation, status, json.error]).toEqual([operation, expect.any(Number), undefined]);
  };
  const signUp = (time: string, name: string, affiliate_slug: string) =>
    at(time, 'trackConversionV2', { email: `${name}@shop.example`, uid: name, affiliate_slug });
  const pay = (time: string, uid: string, amount: number, currency = 'usd') =>
    at(time, 'recordPayment', { uid, payment_id: `in_${uid}`, amount, currency });
  await signUp('2026-01-20T08:00:00Z', 'ana', 'jane-doe');
  await pay('2026-01-21T08:00:00Z', 'ana', 30_000);
  await signUp('2026-02-03T08:00:00Z', 'ben', 'omar');
  await signUp('2026-02-09T08:00:00Z', 'xaver.huber', 'omar');
  await signUp('2026-02-28T23:59:59Z', 'cleo', 'jane-doe');
  const settlement = { affiliate_slug: 'jane-doe', settlement_id: 's-1', amount: 6000, currency: 'usd' };
  await at('2026-02-15T08:00:00Z', 'recordSettlement', settlement);
  await signUp('2026-03-01T00:00:00Z', 'dora', 'lea');
  await pay('2026-03-02T08:00:00Z', 'ben', 20_000);
  await pay('2026-03-03T08:00:00Z', 'dora', 5000, 'eur');
  await at('2026-03-04T08:00:00Z', 'setState', { uid: 'cleo', state: 'rejected' });
  await pay('2026-03-05T08:00:00Z', 'cleo', 90_000);
  moment = milliseconds(NOW);
  await aWebhook(table, program, { url: 'https://crm.example/hooks' });
  await failForFiveDays(table, program.id, failing);
  await countStream(stored);
});

/** Reads with a tool, or with the operation of the same name. */
// biome-ignore lint/suspicious/noExplicitAny: the answers read responses of every shape.
type Read = (name: OperationId, given?: Record<string, unknown>) => Promise<any>;

interface Row {
  readonly attributes: Readonly<Record<string, unknown>>;
}

const MONTH = { from: '2026-03-01', to: '2026-03-31' };
const LAST_MONTH = { from: '2026-02-01', to: '2026-02-28' };
/** Finds Jane, of whom a merchant knows only the name. */
const slugOfJane = async (read: Read): Promise<string> => {
  const { data } = await read('listAdvocatesV2', { search: 'jane' });
  return data[0].attributes.slug;
};

const QUESTIONS: readonly [question: string, answer: (read: Read) => Promise<unknown>, expected: unknown][] = [
  [
    'Who earned most this month?',
    async (read) => {
      const { data } = await read('listAdvocateStatistics', { ...MONTH, sort: 'commissions', currency: 'usd' });
      return data[0].id;
    },
    'omar',
  ],
  [
    'Why is xaver.huber@shop.example not Jane’s?',
    async (read) => {
      const asked = { email: 'xaver.huber@shop.example', affiliate_slug: await slugOfJane(read) };
      const { data } = await read('explainCustomer', asked);
      return [data.attributes.verdict, data.attributes.affiliate_slug];
    },
    ['other_advocate', 'omar'],
  ],
  [
    'What do I owe in euros?',
    async (read) => {
      const { meta } = await read('listBalances', { currency: 'eur' });
      return meta.currencies.find(({ currency }: { currency: string }) => currency === 'eur').owed;
    },
    1000,
  ],
  [
    'Which webhook fails?',
    async (read) => {
      const { data } = await read('listWebhooks');
      return data.flatMap(({ attributes }: Row) =>
        attributes['disabled_reason'] === 'failing' ? [attributes['url']] : [],
      );
    },
    ['https://billing.example/hooks'],
  ],
  [
    'How many sign-ups were there last month?',
    async (read) => (await read('getStatistics', LAST_MONTH)).data.attributes.total.conversions,
    3,
  ],
  [
    'Which customers of Jane pay?',
    async (read) => {
      const { data } = await read('listReferralsV2', { affiliate_slug: await slugOfJane(read), state_eq: 'paid' });
      return data.map(({ attributes }: Row) => attributes['uid']);
    },
    ['ana'],
  ],
  [
    'What was Jane paid in February?',
    async (read) => {
      const { data } = await read('getStatements', { affiliate_slug: await slugOfJane(read), month: '2026-02' });
      return data.attributes.currencies.map(({ currency, settlements }: Row['attributes']) => [currency, settlements]);
    },
    [['usd', -6000]],
  ],
  [
    'What is the commission rate of the program?',
    async (read) => (await read('getProgram')).data.attributes.commission_percentage,
    20,
  ],
  [
    'Who is the customer whose email begins with xav?',
    async (read) => {
      const { data } = await read('searchReferrals', { text: 'xav' });
      return data.map(({ attributes }: Row) => [attributes['uid'], attributes['state'], attributes['affiliate_slug']]);
    },
    [['xaver.huber', 'converted', 'omar']],
  ],
  [
    'Why did the payment in_cleo earn nothing?',
    async (read) => {
      const { data } = await read('explainCustomer', { payment_id: 'in_cleo' });
      return [data.attributes.verdict, data.attributes.advice];
    },
    ['rejected', expect.stringMatching(/^The referral is or was rejected: /)],
  ],
];

describe('a scripted client answers a merchant over POST /mcp alone', () => {
  test.each(QUESTIONS)('%s is answered as over the API, with at most three calls', async (_, answer, expected) => {
    const { read } = await connect(token);
    let calls = 0;
    const overMcp = await answer((name, given) => {
      calls += 1;
      return read(name, given);
    });
    const overApi = await answer(async (name, given = {}) => (await send({ ...requestWith(name, given), token })).json);
    expect(overMcp).toEqual(expected);
    expect(overApi).toEqual(overMcp);
    expect(calls).toBeLessThanOrEqual(3);
  });
});
