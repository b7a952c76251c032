import { DomainName, IpAddressType } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { CfnOutput } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Domain } from './settings.ts';

/** A domain of one's own in front of the API, with its DNS records where Route 53 keeps the zone. */
export class CustomDomain extends Construct {
  readonly domainName: DomainName;

  constructor(scope: Construct, id: string, { name, certificateArn, hostedZoneId }: Domain) {
    super(scope, id);
    this.domainName = new DomainName(this, 'DomainName', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      ipAddressType: IpAddressType.DUAL_STACK,
    });
    const { regionalDomainName, regionalHostedZoneId } = this.domainName;
    if (hostedZoneId === undefined) {
      new CfnOutput(this, 'Target', {
        description: `Where a CNAME record of ${name} must point`,
        value: regionalDomainName,
      });
      return;
    }
    const record = {
      // By its id alone: looking the zone up would need credentials at synth. The records say their full names.
      zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName: name }),
      recordName: `${name}.`,
      target: RecordTarget.fromAlias(new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId)),
    };
    new ARecord(this, 'Ipv4', record);
    new AaaaRecord(this, 'Ipv6', record);
  }
}
