import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from '@jest/globals';
import { Failure } from '../../../bin/admin/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { milliseconds, seconds } from '../../../functions/domain/time.ts';
import type { DeliveryMessage, Queue } from '../../../functions/events/destinations.ts';
import { parseMessage } from '../../../functions/events/messages.ts';
import { reassignReferral, setReferralState } from '../../../functions/table/referrals/referrals.ts';
import { updateWebhook } from '../../../functions/table/webhooks.ts';
import { adminWith, useServiceFolder } from '../../support/admin-here.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const folder = useServiceFolder();
const SINCE = ['--since', '2026-01-31T00:00:00Z'];
const rfc3339 = (second: number) => new Date(second * 1000).toISOString();

const run = (...args: readonly string[]) => adminWith({ table, parts: folder.parts }, 'webhook', ...args);

async function aWebhook({ id: program }: Program, ...options: readonly string[]) {
  const args = ['create', '--program', program, '--url', 'https://1.1.1.1/', ...options];
  const { stdout } = await run(...args, '--json');
  const { id } = JSON.parse(stdout);
  return { id, replay: ['replay', '--program', program, '--id', id] };
}

/** The messages for a webhook in the queue of the local service, by their ids. */
function queued(webhook: string): DeliveryMessage[] {
  const file = join(folder.path, 'service.sqlite');
  if (!existsSync(file)) return [];
  using database = new DatabaseSync(file);
  const rows = database.prepare('SELECT body FROM message WHERE webhook = ?').all(webhook);
  return rows.map(({ body }) => parseMessage(String(body)));
}
const idsIn = (webhook: string) => queued(webhook).map(({ event }) => event.id);

describe('webhook replay', () => {
  test('webhook replay queues the events of a program again, with the same ids, for one webhook', async () => {
    const program = await aProgram(table);
    const [jane, john] = [await anAdvocate(table, program), await anAdvocate(table, program)];
    const [one, other] = [await aReferral(table, program, jane), await aReferral(table, program, john)];
    const click = await aClick(table, program, john);
    await setReferralState(table, program.id, one.id, { state: 'paid', actor: 'merchant' });
    await reassignReferral(
      table,
      program,
      { id: other.id, email: null, uid: null },
      { slug: jane.slug, actor: 'operator' },
    );
    const [webhook, idle, clicks] = [
      await aWebhook(program),
      await aWebhook(program),
      await aWebhook(program, '--event', 'referral.clicked', '--event', 'referral.paid'),
    ];
    const { status, stdout, stderr } = await run(...webhook.replay, ...SINCE, '--json');
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '{"queued":4}\n', stderr: '' });
    const ids = [`${one.id}.1`, `${one.id}.2`, `${other.id}.1`, `${other.id}.2`];
    expect(idsIn(webhook.id).toSorted()).toEqual(ids.toSorted());
    expect(queued(webhook.id)).toEqual(
      ids.map(() => expect.objectContaining({ program: program.id, attempt: 1, advocateId: jane.id })),
    );
    // Whatever the clock of the operator's machine is.
    for (const { event, due } of queued(webhook.id)) expect(due).toBe(event.setAt * 1000);
    expect(idsIn(idle.id)).toEqual([]);

    expect((await run(...clicks.replay, ...SINCE, '--json')).stdout).toBe('{"queued":2}\n');
    expect(idsIn(clicks.id).toSorted()).toEqual([`${one.id}.2`, `${click.id}.1`].toSorted());
    // Messages that are pending already are not queued twice.
    await run(...clicks.replay, ...SINCE);
    expect(idsIn(clicks.id)).toHaveLength(2);
  });

  test('webhook replay includes the events at both times', async () => {
    const program = await aProgram(table);
    const jane = await anAdvocate(table, program);
    const start = seconds(now() - 1000);
    const ids: string[] = [];
    for (const offset of [0, 1, 2, 3]) {
      const at = seconds(start + offset);
      ids.push((await aReferral(table, program, jane, { createdAt: at, stateSetAt: at, updatedAt: at })).id);
    }
    const range = async (...options: readonly string[]) => {
      const { id, replay } = await aWebhook(program);
      await run(...replay, ...options);
      return idsIn(id)
        .map((event) => ids.indexOf(event.replace('.1', '')))
        .toSorted();
    };
    expect(await range('--since', rfc3339(start))).toEqual([0, 1, 2, 3]);
    expect(await range('--since', rfc3339(start + 1), '--until', rfc3339(start + 2))).toEqual([1, 2]);
    const fraction = rfc3339(start + 1).replace('.000Z', '.5Z');
    expect(await range('--since', fraction, '--until', fraction)).toEqual([1]);
    expect(await range('--since', rfc3339(start + 4))).toEqual([]);
    const contractForm = rfc3339(start + 2 + 7200)
      .replace('T', ' ')
      .replace('.000Z', ' +0200');
    expect(await range('--since', contractForm)).toEqual([2, 3]);
  });

  test('webhook replay is refused for a disabled webhook', async () => {
    const program = await aProgram(table);
    const { id, replay } = await aWebhook(program);
    await updateWebhook(table, program.id, id, { enabled: false });
    expect(await run(...replay, ...SINCE)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The webhook is disabled. Run `webhook enable`, then send the events again.\n',
    });
    await run('enable', ...replay.slice(1));
    expect(await run(...replay, ...SINCE)).toMatchObject({ status: 0 });
  });

  test('webhook replay reports how many events are queued when the queue fails in between', async () => {
    const program = await aProgram(table);
    for (let index = 0; index < 2; index += 1) await aReferral(table, program, await anAdvocate(table, program));
    const { id, replay } = await aWebhook(program);
    const { onQueue } = folder.parts;
    let calls = 0;
    const parts = {
      ...folder.parts,
      onQueue: <Result>(work: (queue: Queue) => Promise<Result>) =>
        onQueue((queue) =>
          work({
            send: async (messages) => {
              calls += 1;
              if (calls === 2) throw new Failure('The queue is down.');
              return queue.send(messages);
            },
          }),
        ),
    };
    const { status, stdout, stderr } = await adminWith({ table, parts }, 'webhook', ...replay, ...SINCE);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      'The queue is down. 1 event was queued. Run the command again: receivers recognize repeated events by their ids.\n',
    );
    expect(idsIn(id)).toHaveLength(1);
    expect(await run(...replay, ...SINCE, '--json')).toMatchObject({ stdout: '{"queued":2}\n' });
    expect(idsIn(id)).toHaveLength(2);
  });

});
