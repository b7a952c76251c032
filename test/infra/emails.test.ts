import { expect, test } from '@jest/globals';
import { addressHash } from '../../functions/kernel/address.ts';
import type { Item } from '../../functions/kernel/dynamodb/item.ts';
import * as keys from '../../functions/kernel/dynamodb/keys.ts';
import { entryWrites } from '../../functions/ledger/table/entries.ts';
import { itemRecord } from '../support/events/events.ts';
import { anEntry } from '../support/ledger/entries.ts';
import { newId, now } from '../support/program.ts';
import { attribute, EMAILS, synthesize } from './synthesized.ts';

// What a synth cannot show: that SES asks for these identities, and that SQS and Lambda do what the mappings say.

const stack = synthesize(EMAILS);
const [unsentId] = stack.one('AWS::SQS::Queue', 'EmailsUnsent');

test('without emails, there is no function, queue, parameter, filter or variable of them', () => {
  const without = JSON.stringify(synthesize({ events: 'on' }).template.toJSON());
  expect(without).not.toMatch(
    /Emails|LINK_QUEUE_URL|EMAIL_|BASE_URL|: (?:people|mail)"|ses:|LINKS#|MEMBERS|DRAFT|APPLICATION|CONFIRMATIONS|email-from/,
  );
  const [before, after] = [synthesize({ events: 'on' }), stack].map((each) =>
    ['Lambda::Function', 'SQS::Queue', 'Lambda::EventSourceMapping', 'SSM::Parameter'].map(
      (type) => each.all(`AWS::${type}`).length,
    ),
  );
  expect(after?.map((count, index) => count - (before?.[index] ?? 0))).toEqual([2, 3, 2, 1]);
});

test.each([
  ['links to sign in', 'EmailsLinks', 'EmailsSendLinks', { BatchSize: 1, MaximumConcurrency: 10 }, 50],
  ['other emails', 'EmailsOthers', 'EmailsSendOthers', { BatchSize: 1, MaximumConcurrency: 2 }, 50],
])('the queue of %s calls mail, and moves what it never finished', (_, id, mapping, limits, maxReceiveCount) => {
  const [queueId, queue] = stack.one('AWS::SQS::Queue', id);
  const [mailId, mail] = stack.one('AWS::Lambda::Function', 'Emailsmail');
  const { BatchSize, MaximumConcurrency } = limits;
  expect(stack.one('AWS::Lambda::EventSourceMapping', mapping)[1].Properties).toEqual({
    FunctionName: { Ref: mailId },
    EventSourceArn: attribute(queueId, 'Arn'),
    BatchSize,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency },
    Tags: expect.any(Array),
  });
  expect(queue.Properties).toMatchObject({
    VisibilityTimeout: 6 * Number(mail.Properties['Timeout']),
    RedrivePolicy: { deadLetterTargetArn: attribute(unsentId, 'Arn'), maxReceiveCount },
  });
});

test('the sender is found by the name of the table', () => {
  const [tableId] = stack.one('AWS::DynamoDB::GlobalTable');
  expect(stack.one('AWS::SSM::Parameter', 'Emails')[1].Properties).toMatchObject({
    Name: { 'Fn::Join': ['', ['/referral-tracking/', { Ref: tableId }, '/email-from']] },
    Type: 'String',
    Value: 'referrals@example.com',
  });
});

const { FilterCriteria } = Object(stack.one('AWS::Lambda::EventSourceMapping', 'EventsStream')[1].Properties);
const patterns: object[] = FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern));
const passes = (before: Item | null, after: Item | null) =>
  patterns.some((pattern) => matches(pattern, itemRecord(before, after)));
const program = newId();
const address = addressHash('jane@x.example');
const advocate: Item = { ...keys.advocateKey(program, 'jane') };
const referral: Item = { ...keys.referralKey(program, newId()) };
const links: Item = { ...keys.signInLinksKey(program, address, 'portal') };
const members: Item = { ...keys.membersKey(program) };
const draft: Item = { ...keys.draftKey(program, address) };
const application: Item = { ...keys.applicationKey(program, newId()) };
const settlementBy = (by: 'merchant' | 'import'): Item => {
  const settled = { kind: 'settlement', settlementId: 's', referralId: null, by } as const;
  const [entry] = entryWrites(program, anEntry('jane', now(), { id: newId(), ...settled }));
  return entry && 'Put' in entry.write ? entry.write.Put.Item : {};
};

test('publish has at most five filters, which pass every write that causes an email, and every application', () => {
  expect(patterns.length).toBeLessThanOrEqual(5);
  const causes: [Item | null, Item][] = [
    [null, settlementBy('merchant')],
    ...[referral, links, members, draft, application].flatMap((item): [Item | null, Item][] => [
      [null, item],
      [item, item],
    ]),
    [advocate, advocate],
  ];
  expect(causes.filter(([before, after]) => !passes(before, after))).toEqual([]);
});

test('the filters of publish leave out imports, new advocates, deletions, codes, marks, budgets and previous addresses', () => {
  const others: [Item | null, Item | null][] = [
    [null, settlementBy('import')],
    [null, advocate],
    ...[links, draft, application].map((item): [Item, null] => [item, null]),
    ...[
      keys.codeOfLinkKey(program, address, 'secret'),
      keys.sentEmailKey(program, 'paying'),
      keys.previousEmailKey(program, 'jane'),
      keys.applicantKey(program, address, 'id'),
      keys.addressConfirmationsKey(address),
      keys.programConfirmationsKey(program),
      keys.peopleSettingsKey(program),
    ].map((key): [null, Item] => [null, { ...key }]),
  ];
  expect(others.filter(([before, after]) => passes(before, after))).toEqual([]);
});

/**
 * Whether a filter of Lambda passes a record, for the rules that the stack uses
 * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html#filtering-syntax). Throws for all others.
 */
function matches(pattern: object, value: unknown): boolean {
  return Object.entries(pattern).every(([name, rules]) => {
    const found = Object(value)[name];
    if (!Array.isArray(rules)) return matches(rules, found);
    return rules.some((rule) => {
      if (typeof rule === 'string') return found === rule;
      const { prefix, 'anything-but': excluded, ...others } = rule;
      if (Object.keys(others).length > 0) throw new Error('The rule is not known.');
      return typeof found === 'string' && (excluded ? !excluded.includes(found) : found.startsWith(prefix));
    });
  });
}
