import { type Engine, startEngine } from '../../bin/local/engine.ts';

declare global {
  var engine: Engine | undefined;
}

/**
 * Starts an engine in memory for the suites that need one. Where `DYNAMODB_ENDPOINT` names another DynamoDB, that one
 * is tested, and the engine only counts capacity: DynamoDB Local counts whole items where AWS counts projections.
 */
export default async function startEngineForTests(): Promise<void> {
  // Each suite calls this, one after the other.
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
