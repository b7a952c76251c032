import { readStartEnvironment } from './environment.ts';
import { startLocal } from './start.ts';
import { welcome } from './welcome.ts';

try {
  const service = await startLocal(readStartEnvironment(process.env));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      service.stop().then(() => process.exit(0), fail);
    });
  }
  service.engineEnded.then(
    () => fail(new Error('The embedded DynamoDB engine ended; run npm start again.')),
    fail,
  );
  console.log(welcome(service));
} catch (error) {
  fail(error);
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : 'The start failed.');
  process.exit(1);
}
