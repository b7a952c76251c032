import type { Schemas } from '../../kit/api-types.ts';

/** A webhook as the API returns it, without its secret. */
export type Webhook = Schemas['Webhook'];
