import { describe, expect, test } from '@jest/globals';
import { importsOf, readSources, type Sources } from './sources.ts';

/** Returns what is wrong with one import of a file; `undefined` if nothing is. */
type ImportRule = (file: string, imported: string) => string | undefined;

const inside = (folder: string, path: string) => path.startsWith(`${folder}/`);
const OPERATOR = 'functions/table/operator';
const ENVIRONMENT = 'functions/table/environment.ts';
const isPackage = (name: string, scope: string) => name === scope || name.startsWith(`${scope}/`);
const isBuiltIn = (name: string) => name.startsWith('node:');
/** The documentation of a function's operations. */
const isDocument = (file: string) =>
  inside('functions/openapi', file) || /^functions\/(?:[^/]+\/)+openapi(?:-\w+)?\.ts$/.test(file);
const isHandler = (file: string) => /^functions\/[^/]+\/handler\.ts$/.test(file);
/** Lambda itself reads the table's stream on AWS. Only the local service does so with the SDK. */
const isLocalStream = (file: string, name: string) =>
  file === 'bin/local/events/stream.ts' && name === '@aws-sdk/client-dynamodb-streams';
const roomOf = (file: string) => /^bin\/(\w+)\//.exec(file)?.[1];
/** The handlers of a folder with several routes. */
const isHandlers = (file: string) => /^functions\/[^/]+\/handlers\.ts$/.test(file);

const IMPORT_RULES: ImportRule[] = [
  // The generator of validators finds the schemas.
  (file, name) =>
    name === '?' && file !== 'bin/generate/validators.ts' ? 'computes the name of a module' : undefined,
  (file, name) =>
    inside('functions', file) && (inside('lib', name) || inside('bin', name))
      ? 'functions never import lib or bin'
      : undefined,
  (file, name) => {
    const [from, to] = [roomOf(file), roomOf(name)];
    return from === undefined || to === undefined || to === from || to === 'service'
      ? undefined
      : 'the rooms of bin share bin/service only';
  },
  (file, name) => (inside('functions', file) && inside('test', name) ? 'functions never import tests' : undefined),
  (file, name) =>
    inside('functions/domain', file) && !inside('functions/domain', name) && !isBuiltIn(name)
      ? 'domain imports nothing outward'
      : undefined,
  (file, name) =>
    inside('functions/http', file) &&
    inside('functions', name) &&
    !/^functions\/(?:(?:http|domain)\/|routes\.ts$)/.test(name)
      ? 'http imports domain and the routes only'
      : undefined,
  (file, name) =>
    inside('functions/table', file) && inside('functions', name) && !/^functions\/(?:table|domain)\//.test(name)
      ? 'table imports domain only'
      : undefined,
  (file, name) =>
    inside('functions', file) && !inside(OPERATOR, file) && inside(OPERATOR, name)
      ? 'Lambda code never imports what only the operator uses'
      : undefined,
  (file, name) =>
    isDocument(name) && inside('functions', file) && !isDocument(file)
      ? 'only bin/generate reads the documentation of operations: no Lambda bundle contains it'
      : undefined,
  (file, name) =>
    isPackage(name, '@aws-sdk') && !inside('functions/table', file) && !isLocalStream(file, name)
      ? 'only table imports the AWS SDK'
      : undefined,
  (file, name) =>
    isPackage(name, '@middy') && !inside('functions/http', file) && !isHandler(file)
      ? 'only http and the handlers import middy'
      : undefined,
];

function* importFaults(sources: Sources) {
  for (const [file, source] of sources) {
    for (const imported of importsOf(file, source)) {
      for (const rule of IMPORT_RULES) {
        const fault = rule(file, imported);
        if (fault) yield `${file} imports ${imported}: ${fault}`;
      }
    }
  }
}

const linesOf = (source: string) => source.replace(/\n$/, '').split('\n').length;

const readsEnvironment = (file: string, source: string) =>
  inside('functions', file) && file !== ENVIRONMENT && /\bprocess\s*(?:\.\s*|\[\s*['"])env\b/.test(source);

function* fileFaults(sources: Sources) {
  for (const [file, source] of sources) {
    if (linesOf(source) > 300) yield `${file} has more than 300 lines`;
    if (inside('functions', file) && /\/(?:index\.[^/]*|utils?\b[^/]*|helpers?\b[^/]*)(?:\/|$)/i.test(file)) {
      yield `${file} has a name without a meaning`;
    }
    if (readsEnvironment(file, source)) yield `${file} reads the environment itself`;
    if (!inside('functions/table', file) && /\btable\s*\.\s*send\b/.test(source)) {
      yield `${file} sends requests of the SDK itself`;
    }
    if (doesMoreThanCall(file, source)) yield `${file} does more than parse and call`;
  }
}

function doesMoreThanCall(file: string, source: string): boolean {
  if (isHandler(file)) return linesOf(source) >= 40 || /\btry\s*\{|\bcatch\b|JSON\.parse|@aws-sdk/.test(source);
  return isHandlers(file) && /\btry\s*\{|JSON\.parse|@aws-sdk/.test(source);
}

/** Returns the files that import themselves through others, types included. */
function filesInCircles(sources: Sources): string[] {
  const importsFrom = new Map([...sources].map(([file, source]) => [file, importsOf(file, source)]));
  return [...sources.keys()].filter((start) => {
    const reached = new Set<string>();
    const pending = [...(importsFrom.get(start) ?? [])];
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      pending.push(...(importsFrom.get(file) ?? []));
    }
    return reached.has(start);
  });
}

const faultsOf = (sources: Sources) => [...importFaults(sources), ...fileFaults(sources)];
const sources = readSources('bin', 'lib', 'functions', 'web');

describe('the sources', () => {
  test('the sources import in one direction: bin and lib, handlers, http and table, domain', () => {
    expect([...importFaults(sources)]).toEqual([]);
  });

  test('the sources have no circle of imports, types included', () => {
    expect(filesInCircles(sources)).toEqual([]);
    const circle = [
      ['functions/domain/a.ts', "import type { B } from './b.ts';"],
      ['functions/domain/b.ts', "import { c } from './c.ts';"],
      ['functions/domain/c.ts', "import { a } from './a.ts';"],
      ['functions/domain/d.ts', "import { a } from './a.ts';"],
    ] as const;
    expect(filesInCircles(new Map(circle))).toEqual(circle.slice(0, 3).map(([file]) => file));
  });

  test('the sources are small files with meaningful names, and thin handlers', () => {
    expect([...fileFaults(sources)]).toEqual([]);
  });

  test('the sources are read completely: every relative import names a file that exists', () => {
    const read = readSources('functions');
    const imports = [...read].flatMap(([file, source]) => importsOf(file, source)).filter((name) => name !== '?');
    const relative = imports.filter((name) => inside('functions', name) && !name.endsWith('validators.js'));
    expect(relative.filter((name) => !read.has(name))).toEqual([]);
    expect(imports).toEqual(expect.arrayContaining(['@aws-sdk/lib-dynamodb', '@middy/core', 'node:crypto']));
    expect([...read.keys()].filter(isHandler).length).toBeGreaterThanOrEqual(3);
  });
});

describe('rules', () => {
  test.each([
    ['functions/table/a.ts', "import { a } from '../../lib/a.ts';"],
    ['functions/a/a.ts', "import type { A } from '../../bin/local/a.ts';"],
    ['functions/domain/a.ts', "import { a } from '../http/a.ts';"],
    ['functions/domain/a.ts', 'const a = await import(name);'],
    ['functions/http/a.ts', "import { a } from '../table/a.ts';"],
    ['functions/table/a.ts', "import { a } from '../http/a.ts';"],
    ['functions/tracking/a.ts', "import { a } from '../table/operator/a.ts';"],
    ['functions/tracking/handler.ts', "import { a } from '@aws-sdk/client-dynamodb';"],
    ['bin/local/a.ts', "import { a } from '../admin/a.ts';"],
    ['bin/service/a.ts', "import { a } from '../local/a.ts';"],
    ['functions/events/aws.ts', "import { a } from '@aws-sdk/client-dynamodb';"],
    ['functions/table/a.ts', "import middy from '@middy/core';"],
    ['functions/tracking/handler.ts', 'try {\n  a();\n} finally {\n}'],
    ['functions/tracking/handlers.ts', 'await table.send(a);'],
    ['functions/tracking/handler.ts', 'a();\n'.repeat(40)],
    ['functions/tracking/handler.ts', "import { trackingOperations } from './openapi.ts';"],
    ['functions/http/a.ts', "process['env']"],
    ['functions/http/index.ts', ''],
    ['web/a.ts', 'a();\n'.repeat(301)],
  ])('the rules report %s with %j', (file, source) => {
    expect(faultsOf(new Map([[file, source]]))).not.toEqual([]);
  });
});

/** The file that writes: its functions require a condition and return the item that fails it. */
const WRITER = 'functions/table/dynamodb/writes.ts';

// Commands of the SDK that change items, with and without the document client.
const WRITE_COMMAND =
  /\b(?:(?:Put|Update|Delete)(?:Item)?|BatchWrite(?:Item)?|TransactWrite(?:Items)?|(?:Batch)?Execute(?:Statement|Transaction))Command\b/;
const DISCARDED = /^\s*(?:await|void)\s+(?:put|update|transact|bulkTransact)\(/m;

function writeFaults(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) => [
    ...(WRITE_COMMAND.test(source) && file !== WRITER ? [`${file} writes without ${WRITER}`] : []),
    ...(DISCARDED.test(source) ? [`${file} discards the conditions that failed`] : []),
  ]);
}

describe('writes', () => {
  test('all writes go through one file, and its callers handle the failed conditions', () => {
    const sources = readSources('functions', 'bin', 'lib');
    expect(writeFaults(sources)).toEqual([]);
    expect(sources.get(WRITER)).toMatch(WRITE_COMMAND);
  });

  test.each(["import { PutCommand } from '@aws-sdk/lib-dynamodb';", '  await transact(table, writes);'])(
    'the check reports: %s',
    (source) => {
      expect(writeFaults(new Map([['functions/table/a.ts', source]]))).toHaveLength(1);
    },
  );
});
