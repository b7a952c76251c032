import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';

/** Percent of the budget at which the topic gets a message. */
const SHARES = [50, 80, 100];

/**
 * A budget of the account for a month, with messages to the topic of the alarms. It knows costs only hours later, and
 * stops nothing. It does not select the costs of the stack: that takes tags which somebody has to activate first, and
 * costs of other tags would go unnoticed.
 */
export class Budget extends Construct {
  constructor(scope: Construct, id: string, { dollars, topicArn }: { dollars: number; topicArn: string }) {
    super(scope, id);
    new CfnBudget(this, 'Budget', {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: dollars, unit: 'USD' } },
      notificationsWithSubscribers: SHARES.map((threshold) => ({
        notification: {
          notificationType: 'ACTUAL',
          comparisonOperator: 'GREATER_THAN',
          threshold,
          thresholdType: 'PERCENTAGE',
        },
        subscribers: [{ subscriptionType: 'SNS', address: topicArn }],
      })),
    });
  }
}
