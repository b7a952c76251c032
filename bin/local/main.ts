import { readStartEnvironment } from './environment.ts';
import { type LocalService, startLocal } from './start.ts';
import { welcome } from './welcome.ts';

try {
  const service = await startLocal(readStartEnvironment(process.env));
  stopWith(service);
  console.log(welcome(service));
} catch (error) {
  fail(error);
}

/** Ends this process in order when it is told to, and at once where the engine is gone. */
function stopWith(service: LocalService): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      service.stop().then(() => process.exit(0), fail);
    });
  }
  service.engineEnded.then(() => {
    if (!isStopping) fail(new Error('The embedded DynamoDB engine ended; run npm start again.'));
  }, fail);
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : 'The start failed.');
  process.exit(1);
}
