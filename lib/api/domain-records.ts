import { AaaaRecord, ARecord, HostedZone, type IAliasRecordTarget, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CfnOutput } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/** A domain of the deployer, and what it leads to. */
export interface DomainRecords {
  readonly name: string;
  /** Id of the Route 53 zone; `undefined` if another provider hosts it. */
  readonly hostedZoneId: string | undefined;
  readonly target: IAliasRecordTarget;
  /** Host name of the target. */
  readonly targetName: string;
  /** True if the target has IPv6 addresses. */
  readonly hasIpv6: boolean;
}

/** Creates the DNS records of a domain if Route 53 hosts its zone, or else an output with the target of the record. */
export function addDomainRecords(
  scope: Construct,
  { name, hostedZoneId, target, targetName, hasIpv6 }: DomainRecords,
): void {
  if (hostedZoneId === undefined) {
    new CfnOutput(scope, 'Target', {
      description: `Target of the CNAME record to create for ${name}`,
      value: targetName,
    });
    return;
  }
  const record = {
    // A lookup of the zone would need credentials at synth. Its name has no effect: the record names are absolute.
    zone: HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId, zoneName: name }),
    recordName: `${name}.`,
    target: RecordTarget.fromAlias(target),
  };
  new ARecord(scope, 'Ipv4', record);
  if (hasIpv6) new AaaaRecord(scope, 'Ipv6', record);
}
