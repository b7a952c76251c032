import { type Advocate, newestAdvocate } from '../developers/reference.ts';
import { optional } from '../optional.ts';
import { api } from '../service.ts';

/** What a new program has already. */
export interface Progress {
  /** The newest active advocate. */
  readonly advocate: Advocate | undefined;
  readonly hasClicks: boolean;
  readonly hasSignUps: boolean;
  readonly hasPayments: boolean;
  readonly hasStripe: boolean;
}

/** Reads the lifetime totals, an advocate, and the connection to Stripe. */
export async function readProgress(signal: AbortSignal): Promise<Progress> {
  const [lifetime, advocate, stripe] = await Promise.all([
    api.send('get', '/v2/statistics', { query: { range: 'lifetime' }, signal }),
    newestAdvocate(signal),
    optional(api.send('get', '/v2/integrations/stripe', { signal })),
  ]);
  const { clicks, conversions, paying } = lifetime.body.data.attributes.total;
  return {
    advocate,
    hasClicks: clicks > 0,
    hasSignUps: conversions > 0,
    hasPayments: paying > 0,
    hasStripe: (stripe?.body.data.attributes.secrets ?? 0) > 0,
  };
}
