import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { referralKey } from '../../functions/kernel/dynamodb/keys.ts';
import { newWebhook } from '../../functions/webhooks/rules/webhook.ts';
import type { AddPoisonRecords, DeliveryMessage, Queue } from '../../functions/webhooks/stream/destinations.ts';
import { createWebhook } from '../../functions/webhooks/table/program-webhooks.ts';
import { anAdvocate, aProgram, aReferral, newId, now } from './program.ts';
import { itemAt, type TestTable } from './table.ts';

/** Stores a program with a webhook and a new referral. Returns the referral's conversion as the stream reports it. */
export async function aChange(table: TestTable) {
  const program = await aProgram(table);
  const referral = await aReferral(table, program, await anAdvocate(table, program));
  const webhook = newWebhook({ url: 'https://hooks.example/', includeEmail: true }, newId(), now(), false);
  await createWebhook(table, program.id, webhook);
  const NewImage = marshall(await itemAt(table, referralKey(program.id, referral.id)));
  const event = { Records: [{ dynamodb: { SequenceNumber: '1', NewImage } }] } as DynamoDBStreamEvent;
  return { program, referral, webhook, event };
}

/** These tests have no poison records. */
export const addPoisonRecords: AddPoisonRecords = () => Promise.reject(new Error('A record was unreadable.'));

/** A queue that keeps its messages. */
export class Messages implements Queue {
  readonly messages: DeliveryMessage[] = [];

  async send(added: readonly { readonly message: DeliveryMessage }[]): Promise<ReadonlySet<number>> {
    this.messages.push(...added.map(({ message }) => message));
    return new Set();
  }
}
