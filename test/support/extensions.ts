import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../bin/local/engine.ts';
import { membersKey } from '../../functions/kernel/dynamodb/keys.ts';
import { DAY, milliseconds } from '../../functions/kernel/time.ts';
import { createMember } from '../../functions/people/table/members.ts';
import { messageBody } from '../../functions/webhooks/stream/messages.ts';
import { publishHandler } from '../../functions/webhooks/stream/publish.ts';
import type { ExtensionName } from './bundles.ts';
import { aChange, addPoisonRecords, Messages } from './changes.ts';
import { itemRecord } from './events/events.ts';
import { BASE_URL, messageOf } from './people.ts';
import { itemAt, type TestTable } from './table.ts';

/** What SQS and EventBridge respond if they accept a single entry. SES responds with an id that nobody reads. */
const ACCEPTED = JSON.stringify({ Successful: [{ Id: '0' }], FailedEntryCount: 0, Entries: [{ EventId: '1' }] });

/** Starts SQS, EventBridge and SES: a server that accepts everything. Returns what it is asked to do, and the environment. */
export async function startDestinations() {
  const seen: { target: unknown; authorization: unknown }[] = [];
  const server = createServer((request, response) => {
    const { 'x-amz-target': target = request.url, authorization } = request.headers;
    seen.push({ target, authorization });
    request.resume();
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    // SQS responds to this action without a body.
    response.end(target === 'AmazonSQS.ChangeMessageVisibility' ? '' : ACCEPTED);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${portOf(server)}`;
  const environment = {
    AWS_ENDPOINT_URL_SQS: url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: url,
    AWS_ENDPOINT_URL_SESV2: url,
    QUEUE_URL: `${url}/queue`,
    RETRY_QUEUE_URL: `${url}/retries`,
    DEAD_LETTER_QUEUE_URL: `${url}/dead-letters`,
    UNPUBLISHED_QUEUE_URL: `${url}/unpublished`,
    BUS_NAME: 'bus',
    LINK_QUEUE_URL: `${url}/links`,
    EMAIL_QUEUE_URL: `${url}/emails`,
    EMAIL_FROM: 'referrals@example.com',
    BASE_URL,
  };
  return { environment, seen, stop: () => server.close() };
}

/**
 * Builds an event for each function outside of the API: a new referral in a shard of its own, a new member, a message that
 * is not due, an email to the member, and an event of Stripe that is unreadable. All functions read the table, or call SQS.
 */
export async function extensionEvents(table: TestTable): Promise<Record<ExtensionName, () => object>> {
  const { program, event } = await aChange(table);
  const queue = new Messages();
  await publishHandler({ table, queue, addPoisonRecords })(event);
  const due = milliseconds(table.clock() + DAY * 1000);
  const Records = queue.messages.map((message) => {
    return { messageId: '1', receiptHandle: '1', body: messageBody({ ...message, due }) };
  });
  const draft = { email: 'sam@acme.example', name: 'Sam', scopes: ['admin'] as const };
  const { member } = await createMember(table, program.id, draft);
  const invited = itemRecord(null, (await itemAt(table, membersKey(program.id))) ?? null);
  const body = JSON.stringify(messageOf(table, program.id, { kind: 'invited', member: member.id }));
  const attributes = { ApproximateReceiveCount: '1' };
  return {
    publish: () => event,
    'publish-emails': () => ({ Records: [invited] }),
    deliver: () => ({ Records }),
    mail: () => ({ Records: [{ messageId: '1', receiptHandle: '1', body, attributes }] }),
    stripe: () => ({ program: program.id, event: {} }),
    statistics: () => ({ ...event, shardId: randomUUID() }),
  };
}
