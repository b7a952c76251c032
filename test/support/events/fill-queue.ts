import { ServiceFile } from '../../../bin/service/service-file.ts';
import { aQueuedMessage } from './messages.ts';

// A process that adds messages to a queue, as `webhook replay` does beside the service, and prints "stored".

const [dataDir = '', webhook = '', count = '0'] = process.argv.slice(2);
const { queue } = new ServiceFile(dataDir);
for (let n = 0; n < Number(count); n += 1) await queue.send([{ message: aQueuedMessage(webhook, n), delay: 0 }]);
console.log('stored');
// The test ends or kills the process, whose file is never closed.
process.stdin.resume();
