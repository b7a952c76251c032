import { expect, test } from '@jest/globals';
import type { PromiseName } from '../knowledge.ts';
import { brokenIn, onData, onStatus, onText, type Response } from './tampering.ts';

/** Adds a second to a time in a body. */
const later = (body: string, name: string) =>
  body.replace(new RegExp(`("${name}":)(\\d+)`), (_, key, time) => `${key}${Number(time) + 1}`);

const renamed = (body: string) => body.replace(/"id":"..../, '"id":"019f');

test.each<[string, PromiseName, Response]>([
  ['confirms a state that was not set', 'acknowledged', onText('setState', (body) => later(body, 'state_set_at'))],
  ['confirms a conversion that is not stored', 'acknowledged', onText('trackConversionV1', renamed)],
  ['confirms an erasure of nobody', 'acknowledged', onStatus('eraseCustomer', 404, 204)],
  ['returns another entry for a repetition', 'ledger', onText('recordPayment', renamed)],
  ['calls a new refund a repeated one', 'ledger', onStatus('recordRefund', 201, 200)],
  ['shows a statement that never was', 'ledger', onText('getStatements', (body) => later(body, 'closing'))],
  ['accepts the ended session of an advocate', 'delay', onStatus('getAffiliate', 401, 200)],
  ['refuses a code that creates a session', 'codes-once', onStatus('createSession', 201, 400)],
  ['leaves out an entry', 'ledger', onData('listEntries', (data) => data.slice(1))],
])('a response that %s breaks "%s"', async (_, promise, response) => {
  expect(await brokenIn({ response })).toContain(promise);
});
