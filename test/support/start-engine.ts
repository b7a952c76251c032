import { type Engine, startEngine } from '../../bin/local/engine.ts';

declare global {
  var engine: Engine | undefined;
}

/** Starts an engine in memory for the suites that need one, unless `DYNAMODB_ENDPOINT` names another DynamoDB. */
export default async function startEngineForTests(): Promise<void> {
  if (process.env['DYNAMODB_ENDPOINT']) return;
  globalThis.engine = await startEngine();
  process.env['DYNAMODB_ENDPOINT'] = globalThis.engine.endpoint;
}
