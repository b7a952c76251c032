import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { EdgeDomain, EdgeSettings, Stage } from '../settings.ts';
import { WebAcl } from './web-acl.ts';

/** The only region whose firewalls and certificates CloudFront accepts. */
export const EDGE_REGION = 'us-east-1';

export interface EdgeStackProps extends StackProps {
  readonly stage: Stage;
  readonly edge: EdgeSettings;
}

/** Firewall and certificate of the edge, for one stage. */
export class EdgeStack extends Stack {
  /** References to the outputs, for stacks in other regions. CloudFormation reads them when it deploys these stacks. */
  readonly webAclArn: string;
  readonly certificateArn: string | undefined;

  constructor(scope: Construct, id: string, { stage, edge, ...props }: EdgeStackProps) {
    const { domain, limits } = edge;
    super(scope, id, { description: `Referral tracking, stage ${stage.name}: firewall and certificate`, ...props });
    this.webAclArn = this.publish('WebAclArn', 'ARN of the firewall', new WebAcl(this, 'Firewall', limits).arn);
    this.certificateArn = domain && (domain.certificateArn ?? this.createCertificate(domain));
  }

  private createCertificate({ name, hostedZoneId = '' }: EdgeDomain): string {
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName: name });
    const validation = CertificateValidation.fromDns(zone);
    const { certificateArn } = new Certificate(this, 'Certificate', { domainName: name, validation });
    return this.publish('CertificateArn', `ARN of the certificate of ${name}`, certificateArn);
  }

  private publish(name: string, description: string, value: string): string {
    new CfnOutput(this, name, { description, value });
    return Fn.getStackOutput(this.stackName, name, EDGE_REGION);
  }
}
