import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { referralKey } from '../../functions/kernel/dynamodb/keys.ts';
import { SORT_KEY } from '../../functions/kernel/dynamodb/schema.ts';
import { EVENT_KINDS } from '../../functions/ledger/rules/entry-event.ts';
import { ENTRY_KINDS } from '../../functions/ledger/rules/entry-fields.ts';

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
export function newPayments() {
  return FilterCriteria.filter({
    eventName: FilterRule.isEqual('INSERT'),
    dynamodb: { NewImage: { kind: { S: FilterRule.or(...EVENT_KINDS) }, by: { S: FilterRule.notEquals('import') } } },
  });
}
