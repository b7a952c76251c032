import { describe, expect, test } from '@jest/globals';
import { readSources, type Sources } from '../sources.ts';

/** The file that writes: its functions require a condition and return the item that fails it. */
const WRITER = 'functions/table/dynamodb/writes.ts';

// Commands of the SDK that change items, with and without the document client.
const WRITE_COMMAND =
  /\b(?:(?:Put|Update|Delete)(?:Item)?|BatchWrite(?:Item)?|TransactWrite(?:Items)?|(?:Batch)?Execute(?:Statement|Transaction))Command\b/;
const DISCARDED = /^\s*(?:await|void)\s+(?:put|update|transact|bulkTransact)\(/m;

function faultsOf(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) => [
    ...(WRITE_COMMAND.test(source) && file !== WRITER ? [`${file} writes without ${WRITER}`] : []),
    ...(DISCARDED.test(source) ? [`${file} discards the conditions that failed`] : []),
  ]);
}

describe('writes', () => {
  test('all writes go through one file, and its callers handle the failed conditions', () => {
    const sources = readSources('functions', 'bin', 'lib');
    expect(faultsOf(sources)).toEqual([]);
    expect(sources.get(WRITER)).toMatch(WRITE_COMMAND);
  });

  test('no write is built without a condition', () => {
    const source = readSources('functions').get(WRITER) ?? '';
    // Every command is built by `returnFailedItem`, `withCondition` or `withTableName`, whose parameter is a condition or
    // a write with one; the compiler does the rest.
    const commands = source.match(new RegExp(`[^\n]*\n[^\n]*\n[^\n]*new ${WRITE_COMMAND.source}.*`, 'g')) ?? [];
    expect(commands).toHaveLength(3);
    for (const command of commands)
      expect(command).toMatch(/returnFailedItem\(condition\)|withCondition\(|withTableName\(/);
  });

  test.each([
    "import { PutCommand } from '@aws-sdk/lib-dynamodb';",
    "import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';",
    "import { ExecuteStatementCommand } from '@aws-sdk/client-dynamodb';",
    '  await transact(table, writes);',
    'await put(table, item, NOT_EXISTS);',
  ])('the check reports: %s', (source) => {
    expect(faultsOf(new Map([['functions/table/a.ts', source]]))).toHaveLength(1);
  });
});
