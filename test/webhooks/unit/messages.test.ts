import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { messageBody, parseMessage } from '../../../functions/webhooks/stream/messages.ts';
import { aMessage, anyUtf16 } from '../../support/samples.ts';

const message = aMessage();

describe('messages', () => {
  test('a message is parsed from what was written, whatever its sub id is', () => {
    fc.assert(
      fc.property(fc.option(anyUtf16), (subId) => {
        const sent = aMessage({ event: { ...message.event, subId } });
        expect(parseMessage(messageBody(sent))).toEqual(sent);
      }),
    );
  });

  test('a message whose attempt was postponed keeps since when', () => {
    const sent = aMessage({ postponedSince: message.due });
    expect(parseMessage(messageBody(sent))).toEqual(sent);
    expect(() => parseMessage(JSON.stringify({ ...message, postponedSince: 'a' }))).toThrow('postponedSince');
    expect(parseMessage(messageBody(aMessage({ postponedSince: undefined })))).toEqual(message);
  });

  test('a message that was queued before events had a commission is parsed, and parsed again after a retry', () => {
    const { commission: _, ...event } = message.event;
    const parsed = parseMessage(JSON.stringify({ ...message, event }));
    expect(parsed).toEqual(aMessage({ event: { ...event, commission: null } }));
    expect(parseMessage(messageBody(parsed))).toEqual(parsed);
  });

  test('a message is written without characters that SQS replaces', () => {
    const body = messageBody(aMessage({ event: { ...message.event, subId: 'a\ufffe\uffff\u0000\ud800' } }));
    // Control characters and lone surrogates are escaped by JSON.
    expect(body).toMatch(/^[\x20-\x7e]*$/);
    expect(parseMessage(body)).toMatchObject({ event: { subId: 'a\ufffe\uffff\u0000\ud800' } });
  });

  test('a message lacks no field, and has none of another type', () => {
    const broken = (change: object) => JSON.stringify({ ...message, ...change });
    for (const name of Object.keys(message)) {
      for (const value of [undefined, {}]) expect(() => parseMessage(broken({ [name]: value }))).toThrow();
    }
    for (const name of Object.keys(message.event)) {
      for (const value of [...(name === 'commission' ? [] : [undefined]), {}]) {
        expect(() => parseMessage(broken({ event: { ...message.event, [name]: value } }))).toThrow();
      }
    }
  });
});
