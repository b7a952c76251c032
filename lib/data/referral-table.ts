import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { EXPIRY_ATTRIBUTE, type IndexName, PARTITION_KEY, SORT_KEY } from '../../functions/kernel/dynamodb/schema.ts';
import { PROJECTED_INDEXES } from '../../functions/projections.ts';
import type { Settings } from '../settings.ts';

/** A pattern of IAM for a UUID. A `*` would also match keys that contain more parts. */
export const ANY_ID = '?'.repeat(36);

type ItemAction = `dynamodb:${string}`;

/** The permissions of one function on the table. */
export interface TableAccess {
  /** IAM actions on the table itself, without its indexes. */
  readonly itemActions: readonly ItemAction[];
  /** Actions on only those items of the table whose partition key matches one of the patterns of IAM. */
  readonly limitedActions?: readonly {
    readonly actions: readonly ItemAction[];
    readonly partitionKeys: readonly string[];
  }[];
  /** The indexes that the function may query. */
  readonly queriedIndexes: readonly IndexName[];
}

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** The table and its indexes, as defined in `functions/kernel/dynamodb/schema.ts`. */
export class ReferralTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, { stage }: Settings) {
    super(scope, id);
    this.table = new TableV2(this, 'Table', {
      partitionKey: text(PARTITION_KEY),
      sortKey: text(SORT_KEY),
      globalSecondaryIndexes: Object.entries(PROJECTED_INDEXES).map(([indexName, index]) => ({
        indexName,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [...index.nonKeyAttributes],
      })),
      timeToLiveAttribute: EXPIRY_ATTRIBUTE,
      // Campaigns cause bursts, so there is no steady load to provision for.
      billing: Billing.onDemand(),
      // The key owned by AWS is free and needs no grant. A KMS key adds request fees and a possible failure, and pays
      // off only if the key must be revocable or its use must appear in CloudTrail.
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // Its readers, at most two, compare both images to find the changes of a write.
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      deletionProtection: !stage.isForDevelopment,
      removalPolicy: stage.isForDevelopment ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
  }

  /** ARN of the stream. */
  get streamArn(): string {
    const { tableStreamArn } = this.table;
    if (tableStreamArn === undefined) throw new Error('The table has no stream.');
    return tableStreamArn;
  }

  /** Allows a function to be called by the stream. */
  allowStream(reader: { readonly allow: (actions: readonly string[], resource: string) => void }): void {
    reader.allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      this.streamArn,
    );
  }

  /** Grants a role exactly these permissions. CDK's own `grant…` methods would add Scan, streams and every index. */
  allow(role: Role, { itemActions, limitedActions = [], queriedIndexes }: TableAccess): void {
    const { tableArn } = this.table;
    role.addToPolicy(new PolicyStatement({ actions: [...itemActions], resources: [tableArn] }));
    for (const { actions, partitionKeys } of limitedActions) {
      const conditions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitionKeys] } };
      role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [tableArn], conditions }));
    }
    if (queriedIndexes.length === 0) return;
    const indexArns = queriedIndexes.map((name) => `${tableArn}/index/${name}`);
    role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:Query'], resources: indexArns }));
  }
}
