import { type Engine, startEngine } from '../../bin/local/engine.ts';

declare global {
  var engine: Engine | undefined;
}

/**
 * Starts an engine in memory for the suites that need one. If `DYNAMODB_ENDPOINT` is another DynamoDB, the tests use
 * it, and the engine only for counting capacity: DynamoDB Local counts whole items, AWS counts projections.
 */
export default async function startEngineForTests(): Promise<void> {
  // jest calls this once for each suite.
  if (globalThis.engine) return;
  const other = process.env['DYNAMODB_ENDPOINT'];
  globalThis.engine = await startEngine().catch((error: unknown) => {
    if (other) return undefined;
    throw error;
  });
  const own = globalThis.engine?.endpoint ?? other ?? '';
  process.env['COUNTING_ENDPOINT'] = own;
  process.env['DYNAMODB_ENDPOINT'] = other || own;
}
