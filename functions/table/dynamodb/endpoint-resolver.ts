/** What the SDK knows when it sends a request. `Endpoint` is the address in the environment, if there is one. */
interface EndpointParameters {
  readonly Region?: string | undefined;
  readonly Endpoint?: string | undefined;
  readonly UseFIPS?: boolean | undefined;
  readonly UseDualStack?: boolean | undefined;
}

/** China has a domain of its own. */
export const domainOf = (region: string) => `amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

/**
 * Replaces the SDK's endpoint resolver in the bundles (`bin/service/function-bundle.ts`). The SDK's rules for accounts,
 * FIPS, dual stack and every partition are 12 KB, and the functions only need the address of their own region.
 */
export function defaultEndpointResolver({ Region, Endpoint, UseFIPS, UseDualStack }: EndpointParameters) {
  if (UseFIPS || UseDualStack) throw new Error('The functions do not support endpoints for FIPS or dual stack.');
  return { url: new URL(Endpoint ?? `https://dynamodb.${Region}.${domainOf(String(Region))}`) };
}
