import type { SecretReader } from '../../../functions/secrets/secrets.ts';

/** A store without secrets, for tests that verify and sign nothing. */
export const NO_SECRETS: SecretReader = { read: async () => [] };
