import { Stack } from 'aws-cdk-lib/core';
import { parameterPath } from '../../functions/kernel/secrets/parameter-store.ts';
import type { ReferralTable } from '../data/referral-table.ts';
import type { ServiceFunction } from './service-function.ts';

/** The actions of each access. */
const ACTIONS = {
  read: ['ssm:GetParametersByPath'],
  write: ['ssm:GetParametersByPath', 'ssm:PutParameter', 'ssm:DeleteParameters'],
} as const;

/**
 * Allows a function to read, or also to add and remove, the secrets of one kind of owner in Parameter Store, and no
 * others.
 *
 * They are encrypted with the key `aws/ssm`, which every role of the account may use through Parameter Store, so the
 * function needs no permission of KMS
 * (https://docs.aws.amazon.com/systems-manager/latest/userguide/ps-restrict-decryption.html). The key costs nothing, but
 * each secret that is decrypted is a charged request: $3 a million (https://aws.amazon.com/kms/pricing/).
 */
export function allowSecrets(
  lambda: ServiceFunction,
  { table }: ReferralTable,
  owners: 'stripe' | 'webhooks',
  access: keyof typeof ACTIONS = 'read',
): void {
  const path = `${parameterPath(table.tableName)}/${owners}/*`;
  const arn = Stack.of(lambda).formatArn({ service: 'ssm', resource: 'parameter', resourceName: path.slice(1) });
  lambda.allow(ACTIONS[access], arn);
  lambda.acknowledgeWildcard(
    arn,
    'Programs and webhooks are created while the service runs, so the ids in their paths are not known here.',
  );
}
