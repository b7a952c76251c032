import { EventsFile } from '../../../bin/service/events-file.ts';
import { systemClock } from '../../../functions/domain/time.ts';
import { aQueuedMessage } from './messages.ts';

// A process that adds messages to a queue, as `webhook replay` does beside the service, and prints "stored".

const [dataDir = '', webhook = '', count = '0'] = process.argv.slice(2);
const file = new EventsFile(dataDir, systemClock);
for (let n = 0; n < Number(count); n += 1) await file.send([{ message: aQueuedMessage(webhook, n), delay: 0 }]);
console.log('stored');
// The test ends or kills the process, whose file is never closed.
process.stdin.resume();
