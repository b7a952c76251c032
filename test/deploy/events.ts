import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { AWS_ENVIRONMENT, callJson, callRest, configurationOf, REGION, succeeded } from './aws.ts';
import { admin, type Deployment, resourcesOf } from './cdk.ts';
import { check, equal, until } from './checks.ts';
import type { Delivered } from './exercises.ts';
import { clickId } from './requests.ts';
import { functionsOf, restart } from './roles.ts';
import { mustSend, RECEIVER_URL, type World } from './world.ts';

/** A request to the receiver of webhooks. */
interface Received {
  readonly path: string | undefined;
  readonly id: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Starts a receiver at the public address. The first request with an id fails, and all requests to /broken. */
export async function startReceiver() {
  const { DEPLOY_ADDRESS = '', DEPLOY_KEY = '', NODE_EXTRA_CA_CERTS = '' } = process.env;
  const received: Received[] = [];
  const [key, cert] = [DEPLOY_KEY, NODE_EXTRA_CA_CERTS].map((file) => readFileSync(file));
  const server = createServer({ key, cert }, async (request, response) => {
    const body = await text(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const id = headers['webhook-id'] ?? '';
    const path = request.url;
    const isRepeated = received.some((one) => one.id === id && one.path === path);
    const status = isRepeated && path !== '/broken' ? 200 : 500;
    received.push({ path, id, status, headers, body });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(443, DEPLOY_ADDRESS, resolve);
  });
  return { received, stop: () => server.close() };
}

/** Checks the way of an event from a request to the webhook and to the bus. */
export async function checkEvents(
  deployment: Deployment,
  world: World,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
): Promise<Delivered> {
  const environment = { ...AWS_ENVIRONMENT, TABLE_NAME: deployment.tableName };
  const program = ['--program', world.program];
  const create = (path: string) =>
    admin(environment, 'webhook', 'create', ...program, '--url', `${RECEIVER_URL}${path}`);
  const [webhook, broken, listener] = await Promise.all([create('/'), create('/broken'), listenToBus(deployment)]);
  // New webhooks take effect within 30 seconds, or in a new process.
  await Promise.all((await functionsOf(deployment)).filter(({ name }) => name === 'publish').map(restart));
  const body = { email: 'eve@shop.example', gr_id: `${world.slug}.${clickId(9)}` };
  const { id } = (await mustSend(world, 'trackConversionV2', { token: world.token, body })).data;
  const own = () => receiver.received.filter((one) => one.path === '/' && one.id === `${id}.1`);
  await Promise.all([
    check('a webhook gets a signed event, and again after a failure', async () => {
      const [first, second] = await until('second attempt', async () =>
        own().filter(({ status }) => status === 200).length > 0 ? own() : undefined,
      );
      equal(second?.body, first?.body, 'body');
      // It throws if the signature is not valid.
      new Webhook(webhook.secret).verify(second?.body ?? '', second?.headers ?? {});
      const { type, data } = JSON.parse(second?.body ?? '');
      equal([type, data.id, data.affiliate_slug], ['referral.converted', id, world.slug]);
    }),
    check('the bus gets the event', async () => {
      const event = await listener.next();
      equal(
        [event['source'], event['detail-type'], event.detail.data.id],
        ['referral-tracking', 'referral.converted', id],
      );
    }),
  ]);
  await check('webhook deliveries lists the failure and the success', async () => {
    // Stored after the response of the receiver.
    const attempts = await until('second delivery', async () => {
      const deliveries = await admin(environment, 'webhook', 'deliveries', ...program, '--id', webhook.id);
      const own = deliveries.filter((one: { event_id: string }) => one.event_id === `${id}.1`);
      const found = new Set(own.map((one: Record<string, unknown>) => `attempt ${one['attempt']}: ${one['status']}`));
      return found.size > 1 ? [...found] : undefined;
    });
    equal(attempts.toSorted(), ['attempt 1: 500', 'attempt 2: 200']);
  });
  await check('webhook replay sends the event again', async () => {
    const before = own().length;
    await admin(environment, 'webhook', 'replay', ...program, '--id', webhook.id, '--since', '2026-01-01T00:00:00Z');
    await until('replayed event', async () => own().length > before || undefined);
  });
  await check('the routes for resends and replays send the event again', async () => {
    const bodies = { resendEvent: { event_id: `${id}.1` }, replayEvents: { since: new Date(Date.now() - 600_000) } };
    for (const operation of ['resendEvent', 'replayEvents'] as const) {
      const before = own().length;
      await mustSend(world, operation, { token: world.token, path: { id: webhook.id }, body: bodies[operation] });
      await until(`event of ${operation}`, async () => own().length > before || undefined);
    }
  });
  await check('the route for tests sends a signed event', async () => {
    const { data } = await mustSend(world, 'testWebhook', { token: world.token, path: { id: webhook.id } });
    const sent = receiver.received.find((one) => one.id === data.attributes.event_id);
    new Webhook(webhook.secret).verify(sent?.body ?? '', sent?.headers ?? {});
  });
  // Not earlier: without a visibility timeout, other messages would be delivered twice.
  await check('an unreadable message goes to the dead-letter queue', () => poison(deployment));
  await check('a queue hides messages for six times the timeout of its function', () => checkQueues(deployment));
  await listener.stop();
  return { world, deployment, webhook: broken.id, referral: id };
}

async function queueOf(deployment: Deployment, pattern: RegExp): Promise<string> {
  const queues = (await resourcesOf(deployment)).filter(({ type }) => type === 'AWS::SQS::Queue');
  const found = queues.find(({ logicalId }) => pattern.test(logicalId));
  if (!found) throw new Error(`No queue is ${pattern}`);
  return found.physicalId;
}

/** AWS recommends this, and the emulator does not care. */
async function checkQueues({ stackName }: Deployment): Promise<void> {
  const { json } = await succeeded(callRest('lambda', 'GET /2015-03-31/event-source-mappings'));
  for (const { FunctionArn, EventSourceArn } of json.EventSourceMappings) {
    const [, , service, , , QueueName = ''] = String(EventSourceArn).split(':');
    if (service !== 'sqs' || !QueueName.startsWith(stackName)) continue;
    const { json: queue } = await succeeded(callJson('sqs', 'GetQueueUrl', { QueueName }));
    const input = { QueueUrl: queue.QueueUrl, AttributeNames: ['VisibilityTimeout'] };
    const { Attributes } = (await succeeded(callJson('sqs', 'GetQueueAttributes', input))).json;
    const { Timeout } = await configurationOf(String(FunctionArn).replace(/^.*:/, ''));
    equal(Number(Attributes.VisibilityTimeout), 6 * Timeout, `visibility timeout of ${QueueName}`);
  }
}

/** Adds an unreadable message to the first queue, without a pause between its receipts. */
async function poison(deployment: Deployment): Promise<void> {
  const [QueueUrl, undelivered] = await Promise.all([
    queueOf(deployment, /^EventsQueue/),
    queueOf(deployment, /Undelivered/),
  ]);
  const before = await succeeded(
    callJson('sqs', 'GetQueueAttributes', { QueueUrl, AttributeNames: ['VisibilityTimeout'] }),
  );
  const setTimeout = (VisibilityTimeout: string) =>
    succeeded(callJson('sqs', 'SetQueueAttributes', { QueueUrl, Attributes: { VisibilityTimeout } }));
  await setTimeout('0');
  await succeeded(callJson('sqs', 'SendMessage', { QueueUrl, MessageBody: 'unreadable' }));
  await until('dead letter', async () => {
    const { json } = await callJson('sqs', 'ReceiveMessage', { QueueUrl: undelivered, MaxNumberOfMessages: 10 });
    return json.Messages?.find(({ Body }: { Body: string }) => Body === 'unreadable');
  });
  await setTimeout(before.json.Attributes.VisibilityTimeout);
}

/** Adds a rule to the bus that sends its events to a queue, as an operator would. */
async function listenToBus({ stage }: Deployment) {
  const EventBusName = `referral-tracking-${stage}`;
  const { json } = await succeeded(callJson('sqs', 'CreateQueue', { QueueName: `bus-${stage}` }));
  const QueueUrl: string = json.QueueUrl;
  const [account, name] = QueueUrl.split('/').slice(-2);
  const rule = { Name: 'all', EventBusName, EventPattern: JSON.stringify({ source: ['referral-tracking'] }) };
  await succeeded(callJson('events', 'PutRule', rule));
  const Targets = [{ Id: 'queue', Arn: `arn:aws:sqs:${REGION}:${account}:${name}` }];
  await succeeded(callJson('events', 'PutTargets', { Rule: 'all', EventBusName, Targets }));
  return {
    next: () =>
      until('event on the bus', async () => {
        const { json } = await callJson('sqs', 'ReceiveMessage', { QueueUrl });
        return json.Messages?.[0] && JSON.parse(json.Messages[0].Body);
      }),
    stop: async () => {
      await succeeded(callJson('events', 'RemoveTargets', { Rule: 'all', EventBusName, Ids: ['queue'] }));
      await succeeded(callJson('events', 'DeleteRule', { Name: 'all', EventBusName }));
      await succeeded(callJson('sqs', 'DeleteQueue', { QueueUrl }));
    },
  };
}
