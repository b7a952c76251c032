import { createRequire } from 'node:module';

// Lambda's entry, deployed beside the bundle. The bundle is CommonJS, because an ES module that imports node:http loads
// the whole of undici; only an ES module can await the warm-up, so that it runs in Lambda's initialization phase.
const { handler, ready } = createRequire(import.meta.url)('./index.js');
await ready;

export { handler };
