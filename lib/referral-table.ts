import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { EXPIRY_ATTRIBUTE, INDEXES, type IndexName, PARTITION_KEY, SORT_KEY } from '../functions/table/schema.ts';
import type { Stage } from './settings.ts';

/** What one function may do with the table. */
export interface TableAccess {
  /** IAM actions on the items of the table itself, by their keys. */
  readonly itemActions: readonly `dynamodb:${string}`[];
  /** Indexes that it may query. */
  readonly queriedIndexes: readonly IndexName[];
}

/** The one table with its indexes, as `functions/table/schema.ts` defines them. */
export class ReferralTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.table = new TableV2(this, 'Table', {
      partitionKey: text(PARTITION_KEY),
      sortKey: text(SORT_KEY),
      globalSecondaryIndexes: Object.entries(INDEXES).map(([indexName, index]) => ({
        indexName,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [...index.nonKeyAttributes],
      })),
      timeToLiveAttribute: EXPIRY_ATTRIBUTE,
      // Conversions come in waves after a campaign: there is no steady load to provision for.
      billing: Billing.onDemand(),
      // A key of AWS's own costs nothing and needs no grant. One of KMS would add a request fee and a second place
      // that can refuse, and is worth it only to someone who must revoke it or read of its use in CloudTrail.
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: !stage.isForDevelopment,
      removalPolicy: stage.isForDevelopment ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
  }

  /** Lets a role do exactly what it says. The `grant…` methods of CDK's own add Scan, streams and every index. */
  allow(role: Role, { itemActions, queriedIndexes }: TableAccess): void {
    const { tableArn } = this.table;
    role.addToPolicy(new PolicyStatement({ actions: [...itemActions], resources: [tableArn] }));
    if (queriedIndexes.length === 0) return;
    const indexArns = queriedIndexes.map((name) => `${tableArn}/index/${name}`);
    role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:Query'], resources: indexArns }));
  }
}

function text(name: string): Attribute {
  return { name, type: AttributeType.STRING };
}
