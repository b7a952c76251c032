import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import {
  advocateKey,
  applicationKey,
  draftKey,
  membersKey,
  referralKey,
  SIGN_IN_LINKS,
} from '../../functions/kernel/dynamodb/keys.ts';
import { SORT_KEY } from '../../functions/kernel/dynamodb/schema.ts';
import { EVENT_KINDS } from '../../functions/ledger/rules/entry-event.ts';
import { ENTRY_KINDS, type EntryKind } from '../../functions/ledger/rules/entry-fields.ts';

/** A filter of the stream's readers: Lambda does not call them for writes of other items, nor for deletions. */
export function changesOfReferrals() {
  return FilterCriteria.filter({
    eventName: FilterRule.or('INSERT', 'MODIFY'),
    dynamodb: { Keys: { [SORT_KEY]: { S: FilterRule.isEqual(referralKey('', '')[SORT_KEY]) } } },
  });
}

/** A filter of the stream's readers: new entries of the ledger, including imported ones. */
export function newEntries() {
  return FilterCriteria.filter({
    eventName: FilterRule.isEqual('INSERT'),
    dynamodb: { NewImage: { kind: { S: FilterRule.or(...ENTRY_KINDS) } } },
  });
}

/** A filter of the stream's readers: new entries of the ledger that are events. */
export const newPayments = () => newEntriesOf(EVENT_KINDS);

/** As `newPayments`, with the entries that cause emails. */
export const newPaymentsAndSettlements = () => newEntriesOf([...EVENT_KINDS, 'settlement']);

function newEntriesOf(kinds: readonly EntryKind[]) {
  return FilterCriteria.filter({
    eventName: FilterRule.isEqual('INSERT'),
    dynamodb: { NewImage: { kind: { S: FilterRule.or(...kinds) }, by: { S: FilterRule.notEquals('import') } } },
  });
}

/**
 * Filters of the stream's readers: other writes that cause emails, of advocates, members, requests for a link, drafts and
 * applications. Applications are events as well.
 */
export function changesOfPeople() {
  return [
    FilterCriteria.filter({
      eventName: FilterRule.isEqual('MODIFY'),
      dynamodb: { Keys: { [SORT_KEY]: { S: FilterRule.isEqual(advocateKey('', '')[SORT_KEY]) } } },
    }),
    FilterCriteria.filter({
      eventName: FilterRule.or('INSERT', 'MODIFY'),
      dynamodb: {
        Keys: {
          [SORT_KEY]: {
            S: [
              ...FilterRule.or(
                ...[membersKey(''), draftKey('', ''), applicationKey('', '')].map((key) => key[SORT_KEY]),
              ),
              ...FilterRule.beginsWith(SIGN_IN_LINKS),
            ],
          },
        },
      },
    }),
  ];
}
