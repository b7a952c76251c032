import { readRoleCredentials } from './environment.ts';

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles (an esbuild alias in `lib/endpoint-function.ts`). The
 * SDK's default chain also supports profiles, single sign-on, web identities and instance metadata: a quarter of a bundle
 * that Lambda never runs. The operator's command line is not bundled and keeps the whole chain.
 */
export const defaultProvider = () => async () => readRoleCredentials();
