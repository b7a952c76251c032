import { type Key, referralKey, webhookKey } from '../../functions/kernel/dynamodb/keys.ts';
import { MAX_CUSTOMERS } from '../../functions/referrals/rules/provider-state.ts';
import { callJson, invoke, succeeded } from './aws.ts';
import type { Deployment } from './cdk.ts';
import type { Exercise } from './privileges.ts';
import { clickId, operationsOf, REQUESTS } from './requests.ts';
import type { DeployedFunction } from './roles.ts';
import { send, type World } from './world.ts';

/** Sends all requests to the routes of a function. A 5xx is a failure. `ownOf` returns what a run has of its own. */
export const exerciseRoutes =
  (name: string, world: World, ownOf: (run: string) => Partial<World>): Exercise =>
  async (run) => {
    const own = { ...world, run, ...ownOf(run) };
    for (const operation of operationsOf((route) => route.function === name)) {
      for (const build of REQUESTS[operation]) {
        const { status, body } = await send(own, operation, await build(own));
        if (status >= 500) return `${operation}: ${status} ${body}`;
      }
    }
    return undefined;
  };

/** Invokes a function with records of a shard. An error that it throws, or a refusal in its log, is a failure. */
export async function failureOf(
  { physicalName }: DeployedFunction,
  Records: readonly object[],
  shardId?: string,
): Promise<string | undefined> {
  // The emulator returns the last lines of a busy process with the next invocations.
  for (const records of [Records, [], [], []]) {
    const { failed, json, log } = await invoke(physicalName, { Records: records, shardId });
    if (failed || log.includes('AccessDenied')) return log || JSON.stringify(json);
  }
  return undefined;
}

/** A webhook, and a referral whose events it receives. */
export interface Delivered {
  readonly world: World;
  readonly deployment: Deployment;
  readonly webhook: string;
  readonly referral: string;
}

export const toKey = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });

/** Passes a new row to a function on the stream, a record that it cannot read, and others. */
export const exerciseStream =
  (
    lambda: DeployedFunction,
    { world, deployment, referral }: Delivered,
    othersOf: (run: string) => Promise<readonly object[]> = async () => [],
  ): Exercise =>
  async (run) => {
    const key = toKey(referralKey(world.program, referral));
    const { json } = await succeeded(callJson('dynamodb', 'GetItem', { TableName: deployment.tableName, Key: key }));
    const record = (NewImage: object, number: number) => ({
      eventName: 'INSERT',
      dynamodb: { Keys: key, NewImage, SequenceNumber: String(number) },
    });
    const records = [record(json.Item, 1), record({ ...key, created: { S: 'unreadable' } }, 2)];
    return failureOf(lambda, [...records, ...(await othersOf(run))], run);
  };

/** Passes messages to `deliver`: a first attempt, a last attempt, and an attempt that is not due. All fail. */
export const exerciseDeliver =
  (lambda: DeployedFunction, { world, deployment: { tableName: TableName }, webhook, referral }: Delivered): Exercise =>
  async (run) => {
    // Only the first ten failures of a webhook change it.
    const Key = toKey(webhookKey(world.program, webhook));
    const forget = { TableName, Key, UpdateExpression: 'REMOVE failing_since, failures' };
    await succeeded(callJson('dynamodb', 'UpdateItem', forget));
    const now = Math.floor(Date.now() / 1000);
    const event = {
      ...{
        id: `${referral}.9`,
        type: 'referral.paid',
        referralId: referral,
        state: 'paid',
        previousState: 'converted',
      },
      ...{
        setAt: now,
        stateSetAt: now,
        createdAt: now,
        by: 'merchant',
        move: null,
        subId: null,
        affiliateSlug: 'jane-doe',
      },
    };
    const message = (attempt: number, due: number) => ({
      messageId: `${run}-${attempt}-${due}`,
      receiptHandle: 'none',
      body: JSON.stringify({ program: world.program, webhook, event, advocateId: null, attempt, due }),
    });
    return failureOf(lambda, [message(1, 0), message(10, 0), message(2, (now + 3600) * 1000)]);
  };

/**
 * Passes events of Stripe to `stripe`: a promotion code is created, and its customer pays by more accounts than the
 * service remembers. The last payment is older than the others, so that it checks the referral instead of changing it.
 */
export const exerciseStripe =
  ({ physicalName }: DeployedFunction, { program, slug }: World): Exercise =>
  async (run) => {
    const created = Math.floor(Date.now() / 1000);
    const invoice = (number: number) => ({
      ...{ id: `in_${run}_${number}`, customer: `cus_${run}_${number}`, metadata: { uid: run } },
      ...{ amount_paid: 5, currency: 'usd' },
    });
    const click = { client_reference_id: `${slug}_${clickId()}`, mode: 'payment' };
    const promotion = { id: `promo_${run}`, code: run, metadata: { affiliate_slug: slug } };
    const discounts = [{ promotion_code: promotion.id }];
    const checkout = { ...invoice(0), ...click, discounts, payment_status: 'paid', amount_total: 5 };
    const invoices = Array.from({ length: MAX_CUSTOMERS }, (_, index) => invoice(index + 1));
    const late = { ...invoice(MAX_CUSTOMERS), id: `in_${run}_late` };
    const types = new Map<object, string>([
      [promotion, 'promotion_code.created'],
      [checkout, 'checkout.session.completed'],
    ]);
    for (const [number, object] of [promotion, checkout, ...invoices, late].entries()) {
      const type = types.get(object) ?? 'invoice.paid';
      const time = object === late ? created : created + number;
      const common = { api_version: '2025-03-31.basil', created: time, data: { object } };
      const event = { id: `evt_${run}_${number}`, type, ...common };
      const { failed, json } = await invoke(physicalName, { program, event });
      const expected = object === late ? 'entry' : 'applied';
      if (failed || !(expected in Object(json))) return JSON.stringify(json);
    }
    return undefined;
  };
