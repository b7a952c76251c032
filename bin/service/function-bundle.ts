import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, OnLoadResult, Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');
const SERDE = '@smithy/core/dist-es/submodules/serde';
const CONFIG = '@smithy/core/dist-es/submodules/config';
const RETRY = '@smithy/core/dist-es/submodules/retry';
const PROTOCOLS = '@smithy/core/dist-es/submodules/protocols';
const ENDPOINTS = '@smithy/core/dist-es/submodules/endpoints/middleware-endpoint';

/** What replaces modules of the SDK that never do anything in Lambda. A build fails if one no longer exists. */
const REPLACED: Readonly<Record<string, string>> = {
  // DynamoDB has no endpoint discovery unless it is switched on, and then only for the command that is not used.
  '@aws-sdk/endpoint-cache/dist-es/EndpointCache.js': 'export class EndpointCache {}',
  '@aws-sdk/client-dynamodb/dist-es/endpoint/endpointResolver.js': `export { defaultEndpointResolver } from '${join(ROOT, 'functions/kernel/dynamodb/endpoint-resolver.ts')}';`,
  // The endpoint rules and a setting that nobody uses read them.
  '@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js':
    'export const partitionsInfo = { partitions: [] };',
  // Node computes SHA-256 natively.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js': 'export class Sha256Js {}',
  // Lambda has no files with profiles, and sets the region.
  [`${CONFIG}/shared-ini-file-loader/loadSharedConfigFiles.js`]: `
    export { CONFIG_PREFIX_SEPARATOR } from './constants';
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });
  `,
  [`${CONFIG}/config-resolver/regionConfig/getInstanceMetadataRegion.js`]:
    'export const getInstanceMetadataRegion = async () => undefined;',
  // Only the retry mode `adaptive` uses it.
  [`${RETRY}/util-retry/AdaptiveRetryStrategy.js`]: 'export class AdaptiveRetryStrategy {}',
  // Finds loops of functions through queues. Requests to DynamoDB cannot be part of one.
  '@aws-sdk/core/dist-es/submodules/client/middleware-recursion-detection/recursionDetectionMiddleware.js':
    'export const recursionDetectionMiddleware = () => (next) => next;',
  // The stack sets the version of Node.
  '@aws-sdk/core/dist-es/submodules/client/emitWarningIfUnsupportedVersion.js': `
    export const state = { warningEmitted: false };
    export const emitWarningIfUnsupportedVersion = () => {};
  `,
  // Only event streams are signed with it.
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': 'export class HeaderFormatter {}',
  // Only operations whose host has a prefix need the bindings of HTTP. DynamoDB has none.
  [`${PROTOCOLS}/HttpBindingNormalizedSchema.js`]: `
    export const getHttpOperationBindings = () => [];
    export class HttpBindingNormalizedSchema {}
  `,
  // Only the names of buckets of S3 need it.
  [`${ENDPOINTS}/service-customizations/index.js`]: 'export const resolveParamsForS3 = async () => undefined;',
  // Items have no timestamps.
  [`${SERDE}/date-utils.js`]: `
    const unsupported = () => { throw new Error('The bundles do not parse timestamps.'); };
    export {
      unsupported as dateToUtcString,
      unsupported as parseEpochTimestamp,
      unsupported as parseRfc3339DateTime,
      unsupported as parseRfc3339DateTimeWithOffset,
      unsupported as parseRfc7231DateTime,
    };
  `,
};

const SCHEMAS = '@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js';
const PACKAGE = '@aws-sdk/client-dynamodb/package.json';
/** The errors that the functions distinguish. The SDK creates others from their names. */
const ERRORS = /^(?:ConditionalCheckFailed|ResourceNotFound|TransactionCanceled|TransactionConflict)Exception$/;
/** The SDK registers every error of DynamoDB, most of them administrative, so esbuild cannot drop them. */
const REGISTERED_ERROR = /^export var (\w+)\$ = \[-3,[^;]+\];\nn0_registry\.registerError\(\1\$, \1\);$/gm;

const CHANGED: Readonly<Record<string, (text: string) => OnLoadResult>> = {
  [SCHEMAS]: (text) => {
    const contents = text.replace(REGISTERED_ERROR, (error, name) => (ERRORS.test(name) ? error : ''));
    return { contents, ...(contents === text && { errors: [{ text: `Nothing to remove in ${SCHEMAS}` }] }) };
  },
  // The client reads only its version.
  [PACKAGE]: (text) => ({ contents: JSON.stringify({ version: JSON.parse(text).version }), loader: 'json' }),
};

/** Removes what the SDK has and Lambda does not use. The build fails if the SDK no longer has it. */
const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  setup({ onStart, onLoad, onEnd }) {
    const missing = new Set<string>();
    onStart(() => {
      for (const module of Object.keys({ ...REPLACED, ...CHANGED })) missing.add(module);
    });
    onLoad({ filter: /node_modules/ }, async ({ path }) => {
      const module = path.replaceAll('\\', '/').replace(/^.*\/node_modules\//, '');
      missing.delete(module);
      const contents = REPLACED[module];
      return contents === undefined ? CHANGED[module]?.(await readFile(path, 'utf8')) : { contents };
    });
    onEnd(() => ({ errors: [...missing].map((module) => ({ text: `The SDK no longer has ${module}` })) }));
  },
};

/** A description in a schema that is a single literal, with its comma. */
const DESCRIPTION = /\bdescription:\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`$]*`)(?:,|(?=\s*\}))/g;

/** Blanks the descriptions in schemas, which only the OpenAPI document needs. Positions stay, also of later lines. */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]functions[\\/].*\.ts$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const text = await readFile(path, 'utf8');
      return { loader: 'ts', contents: text.replace(DESCRIPTION, (found) => found.replace(/[^\n]/g, ' ')) };
    });
  },
};

export const FUNCTION_BUNDLE = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // An ES module that imports node:http also loads undici, because it reads every export of the built-in module.
  format: 'cjs',
  // If nothing of a module is used, `sideEffects` in package.json leaves it out, with all that it imports.
  // esbuild can tree-shake the SDK's ES modules, but not the CommonJS files that it prefers for Node by default.
  mainFields: ['module', 'main'],
  // The SDK imports event streams dynamically, and esbuild keeps all modules that a dynamic import may reach. No
  // operation of DynamoDB uses event streams, so the import never runs.
  external: ['@smithy/core/event-streams'],
  alias: { '@aws-sdk/credential-provider-node': join(ROOT, 'functions/kernel/dynamodb/credential-provider.ts') },
  // Not keepNames, which adds 20 KB: bin/locate-frame.ts finds the source of a position in the log.
  minify: true,
  plugins: [withoutUnusedParts, withoutDescriptions],
} as const satisfies BuildOptions;
