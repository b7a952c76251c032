import { createRequire } from 'node:module';

// The entry point of every Lambda function, next to its bundle. The bundle is CommonJS, because an ES module that
// imports node:http also loads undici. But only an ES module can await the warm-up in Lambda's initialization phase.
const { handler, ready } = createRequire(import.meta.url)('./index.js');
await ready;

export { handler };
