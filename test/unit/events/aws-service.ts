import { createHash } from 'node:crypto';
import { startReceiver } from '../../support/events/receiver.ts';

/** The body of a request to the service, as far as the tests read it. */
interface SentEntries {
  readonly QueueUrl?: string;
  readonly Entries: readonly Record<string, unknown>[];
}

/** How the service handles a request: it refuses the entries for which this is true, or the whole request, or fails. */
type Refuses = (entry: Record<string, unknown>, request: number) => boolean | 'all' | 'fails';

/**
 * Starts a service that responds as SQS and EventBridge do to requests with entries
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html,
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html).
 */
export async function startAwsService(refuses: Refuses = () => false) {
  const requests: SentEntries[] = [];
  const receiver = await startReceiver((response, { body, headers }) => {
    const sent: SentEntries = JSON.parse(body);
    const request = requests.push(sent) - 1;
    const outcomes = sent.Entries.map((entry) => refuses(entry, request));
    const type = { 'content-type': 'application/x-amz-json-1.0' };
    if (outcomes.includes('all')) {
      const error = { __type: 'com.amazonaws.sqs#AccessDenied', message: 'made by a test' };
      response.writeHead(400, type).end(JSON.stringify(error));
      return;
    }
    if (outcomes.includes('fails')) {
      response.writeHead(503, type).end('{}');
      return;
    }
    const isQueue = String(headers['x-amz-target']).endsWith('SendMessageBatch');
    const result = isQueue ? queueResult(sent.Entries, outcomes) : busResult(outcomes);
    response.writeHead(200, type).end(JSON.stringify(result));
  });
  const options = {
    endpoint: new URL(receiver.url).origin,
    region: 'local',
    credentials: async () => ({ accessKeyId: 'local', secretAccessKey: 'local' }),
  };
  return { requests, options };
}

function queueResult(entries: SentEntries['Entries'], outcomes: readonly unknown[]) {
  const results = entries.map(({ Id, MessageBody }, index) => ({
    Id,
    MessageId: String(index),
    MD5OfMessageBody: createHash('md5').update(String(MessageBody)).digest('hex'),
  }));
  return {
    Successful: results.filter((_, index) => !outcomes[index]),
    Failed: results.filter((_, index) => outcomes[index]).map(({ Id }) => ({ Id, Code: 'Busy', SenderFault: false })),
  };
}

function busResult(outcomes: readonly unknown[]) {
  return {
    FailedEntryCount: outcomes.filter(Boolean).length,
    Entries: outcomes.map((isRefused) => (isRefused ? { ErrorCode: 'InternalFailure' } : { EventId: 'id' })),
  };
}
