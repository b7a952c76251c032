import { expect, test } from '@jest/globals';
import { entryKey, programInKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import type { EmailCause } from '../../../functions/people/rules/email-cause.ts';
import { newId } from '../../support/program.ts';
import type { Tampering } from '../run.ts';
import { change, emailLike, first, item, newest, violationsIn } from './tampering.ts';

const noCause = emailLike('sign_in', ({ cause }) => ({ cause: { ...cause, request: 'never' } as EmailCause }));

/** An email that was read and sent after the erasure of its recipient. */
const toErased = emailLike('settled', ({ cause }, { knowledge }) => {
  const { shop, slug, addresses } = first(knowledge.people, ({ erased }) => erased);
  const later = { readFrom: Number.MAX_VALUE, sentAt: Number.MAX_VALUE };
  return { ...later, to: addresses[0] ?? '', program: shop.program.id, cause: { ...cause, slug } as EmailCause };
});

/** Settles in a run, while the payout account of an advocate is pending. */
const paidPending: Tampering = {
  afterwards: (evidence) => {
    const advocate = newest(evidence, /\nADVOCATE$/, 'payout_before');
    const settlement = first(evidence.table.items.values(), ({ kind }) => kind === 'settlement');
    const [slug, createdAt] = [String(advocate['slug']), Number(advocate['payout_pending_until']) - 1000];
    const key = entryKey(programInKey(String(advocate['pk'])), slug, { createdAt: seconds(createdAt), id: newId() });
    change(evidence, settlement, { ...key, settlement: `run:${settlement['currency']}:${slug}` });
  },
};

test.each<[string, string, Tampering]>([
  [
    'an email to another address',
    'did not have the address',
    emailLike('settled', () => ({ to: 'jo~@people.example' })),
  ],
  ['an email to an erased advocate', 'did not have the address', toErased],
  ['an email without a cause', 'has no cause', noCause],
  ['a member too many', ' has 101 members', item(/\nMEMBERS$/, () => ({ members: Array(101).fill({ scopes: [] }) }))],
  ['a run that pays to a pending account', 'whose account was pending', paidPending],
])('%s is reported', async (_, sentence, tampering) => {
  expect((await violationsIn(tampering)).join('\n')).toContain(sentence);
});
