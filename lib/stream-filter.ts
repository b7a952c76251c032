import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { referralKey } from '../functions/table/keys.ts';
import { SORT_KEY } from '../functions/table/schema.ts';

/** The filter of the stream's readers: Lambda does not call them for writes of other items, nor for deletions. */
export function changesOfReferrals() {
  return FilterCriteria.filter({
    eventName: FilterRule.or('INSERT', 'MODIFY'),
    dynamodb: { Keys: { [SORT_KEY]: { S: FilterRule.isEqual(referralKey('', '')[SORT_KEY]) } } },
  });
}
