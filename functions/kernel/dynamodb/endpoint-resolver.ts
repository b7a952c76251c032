/** What the SDK knows when it sends a request. `Endpoint` is the address in the environment, if there is one. */
interface EndpointParameters {
  readonly Region?: string | undefined;
  readonly Endpoint?: string | undefined;
  readonly UseFIPS?: boolean | undefined;
  readonly UseDualStack?: boolean | undefined;
}

/** The domains of China and of the European Sovereign Cloud, by the first part of their regions. */
const DOMAINS: Readonly<Record<string, string>> = { cn: 'amazonaws.com.cn', eusc: 'amazonaws.eu' };

/** The domain of AWS's services in a region. */
export const domainOf = (region: string) => DOMAINS[region.split('-', 1)[0] ?? ''] ?? 'amazonaws.com';

/**
 * Replaces the SDK's endpoint resolver in the bundles (`bin/service/function-bundle.ts`). The SDK's rules for accounts,
 * FIPS, dual stack and every partition are 12 KB, and the functions only need the address of their own region.
 */
export function defaultEndpointResolver({ Region, Endpoint, UseFIPS, UseDualStack }: EndpointParameters) {
  if (UseFIPS || UseDualStack) throw new Error('The functions do not support endpoints for FIPS or dual stack.');
  return { url: new URL(Endpoint ?? `https://dynamodb.${Region}.${domainOf(String(Region))}`) };
}
