import { beforeAll, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import {
  QueueBusy,
  REPLAY_LIMITS,
  type ReplayLimits,
  replayWithin,
} from '../../../functions/webhooks/http/past-events.ts';
import { ReplayTooLarge } from '../../../functions/webhooks/rules/errors.ts';
import type { Webhook } from '../../../functions/webhooks/rules/webhook.ts';
import { MemoryParts } from '../../support/events/parts.ts';
import { aClick, anAdvocate, aProgram, aReferral, now } from '../../support/program.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let webhook: Webhook;
beforeAll(async () => {
  program = await aProgram(table);
  webhook = await aWebhook(table, program);
  // Two pages of pastEvents, one for each advocate.
  for (let count = 0; count < 2; count += 1) {
    const advocate = await anAdvocate(table, program);
    for (let each = 0; each < 2; each += 1) await aReferral(table, program, advocate);
    // A click is only read if the webhook subscribed to clicks.
    await aClick(table, program, advocate);
  }
});

/** Everything since the program was created, however long that takes. */
const setAt = () => ({ from: program.createdAt, to: seconds(now() + 1) });
const replay = (limits: Partial<ReplayLimits>, parts = new MemoryParts(), at = table) =>
  replayWithin(
    { table: at, ...parts },
    { program: program.id, webhook, setAt: setAt() },
    { ...REPLAY_LIMITS, ...limits },
  );

test('a replay of as many referrals as allowed is queued, and of one more queues nothing', async () => {
  const parts = new MemoryParts();
  expect(await replay({ rows: 4 }, parts)).toBe(4);
  expect(parts.messages).toHaveLength(4);
  await expect(replay({ rows: 3 }, parts)).rejects.toThrow(ReplayTooLarge);
  expect(parts.messages).toHaveLength(4);
});

test('a queue that accepts nothing is reported as busy after some attempts', async () => {
  const patient = table.but({ pause: async () => undefined });
  let calls = 0;
  const queue = {
    send: async (messages: readonly unknown[]) => {
      calls += 1;
      return new Set(messages.keys());
    },
  };
  const parts = Object.assign(new MemoryParts(), { queue });
  await expect(replay({}, parts, patient)).rejects.toThrow(QueueBusy);
  expect(calls).toBe(5);
});
