import { readRoleCredentials } from '../environment.ts';

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles (`bin/service/function-bundle.ts`). The
 * SDK's default chain also supports profiles, single sign-on, web identities and instance metadata, which never run in
 * Lambda but make up a quarter of a bundle. The operator's command line is not bundled and uses the default chain.
 */
export const defaultProvider = () => async () => readRoleCredentials();
