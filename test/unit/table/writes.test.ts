import { describe, expect, test } from '@jest/globals';
import { readSources, type Sources } from '../sources.ts';

/** The files that write: their functions demand a condition and return the item that fails it. */
const WRITERS = ['functions/table/transaction.ts', 'functions/table/write.ts'];

// Commands of the SDK that change items, with and without the document client.
const WRITE_COMMAND =
  /\b(?:(?:Put|Update|Delete)(?:Item)?|BatchWrite(?:Item)?|TransactWrite(?:Items)?|(?:Batch)?Execute(?:Statement|Transaction))Command\b/;
const DISCARDED = /^\s*(?:await|void)\s+(?:putItem|updateItem|transact|bulkTransact)\(/m;

function faultsOf(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) => [
    ...(WRITE_COMMAND.test(source) && !WRITERS.includes(file) ? [`${file} writes on its own`] : []),
    ...(DISCARDED.test(source) ? [`${file} discards the conditions that failed`] : []),
  ]);
}

describe('no write without a condition, and no failed condition without a name', () => {
  test('all writes go through two files, and their callers look at the conditions that failed', () => {
    const sources = readSources('functions', 'bin', 'lib');
    expect(faultsOf(sources)).toEqual([]);
    for (const file of WRITERS) expect(sources.get(file)).toMatch(WRITE_COMMAND);
  });

  test('these files leave no way to write without one', () => {
    const source = WRITERS.map((file) => readSources('functions').get(file)).join('\n');
    // Every command is built from `reporting` or `updating`, whose parameter is a condition; the compiler does the rest.
    const commands = source.match(/new \w+Command\([\s\S]*?\);/g) ?? [];
    expect(commands).toHaveLength(3);
    for (const command of commands) expect(command).toMatch(/reporting\(condition\)|updating\(|\(input\)/);
  });

  test.each([
    "import { PutCommand } from '@aws-sdk/lib-dynamodb';",
    "import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';",
    "import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';",
    "import { ExecuteStatementCommand } from '@aws-sdk/client-dynamodb';",
    '  await transact(table, writes, deadline);',
    'await putItem(table, item, NOT_EXISTS, deadline);',
  ])('refused: %s', (source) => {
    expect(faultsOf(new Map([['functions/table/a.ts', source]]))).toHaveLength(1);
  });
});
