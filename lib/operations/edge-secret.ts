import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Lazy, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { BASE_URL, EDGE_SECRET } from '../../functions/kernel/environment.ts';
import type { ServiceFunction } from '../api/service-function.ts';
import type { EdgeSettings, Stage } from '../settings.ts';

/** The number of the secret in the environment of a function, which does not read it. */
const EDGE_SECRET_NUMBER = 'EDGE_SECRET_NUMBER';

/** The value that CloudFront sends with each request, so that the functions refuse all others. */
export class EdgeSecret extends Construct {
  /** The value, as a reference that CloudFormation resolves. */
  readonly value: string;
  private readonly secret: Secret;
  private readonly number: number;

  constructor(scope: Construct, id: string, { secret: number }: EdgeSettings, stage: Stage) {
    super(scope, id);
    this.number = number;
    // CloudFormation generates a new value if the key changes, and resolves a reference again if its text changes. The
    // number is in both, so that one deployment replaces the value everywhere. The previous value stays valid.
    const key = `v${number}`;
    this.secret = new Secret(this, 'Secret', {
      description: `Referral tracking, ${stage.name}: what only CloudFront sends`,
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: key,
        passwordLength: 64,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'A new value has to reach CloudFront, which takes a deployment: raise edgeSecret. The value opens only the way around the firewall.',
    });
    this.value = this.secret.secretValueFromJson(key).unsafeUnwrap();
  }

  /** The environment of a function behind CloudFront. */
  environment(baseUrl: () => string): Record<string, string> {
    return {
      [EDGE_SECRET]: this.secret.secretArn,
      [BASE_URL]: Lazy.string({ produce: baseUrl }),
      // Replaces all execution environments after a rotation, so that none remembers a value before the previous one.
      [EDGE_SECRET_NUMBER]: String(this.number),
    };
  }

  /** Allows a function to read the secret. Its key is AWS's own for Secrets Manager, which needs no permission. */
  allow(lambda: ServiceFunction): void {
    lambda.allow(['secretsmanager:GetSecretValue'], this.secret.secretArn);
  }
}
