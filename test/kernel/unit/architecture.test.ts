import { describe, expect, test } from '@jest/globals';
import { CAPABILITIES, PURE, ROOMS, UNKNOWN_TO } from './capabilities.ts';
import { importsOf, readSources, type Sources } from './sources.ts';

/** Returns what is wrong with one import of a file; `undefined` if nothing is. */
type ImportRule = (file: string, imported: string, isType: boolean) => string | undefined;

const inside = (folder: string, path: string) => path.startsWith(`${folder}/`);
const ENVIRONMENT = 'functions/kernel/environment.ts';
const isPackage = (name: string, scope: string) => name === scope || name.startsWith(`${scope}/`);
const isOperator = (file: string) => /^functions\/(?:\w+\/)?operator\//.test(file);
/** The documentation of operations. */
const isDocument = (file: string) => /^functions\/(?:openapi|\w+\/docs)\//.test(file);
/** What joins the capabilities. */
const isJoint = (file: string) => /^functions\/(?:(?:api|lambdas|openapi|operator)\/|\w+\.ts$)/.test(file);
/** The routing of a function behind the API. */
const isApi = (file: string) => inside('functions/api', file);
/** Lambda itself reads the table's stream on AWS. Only the local service does so with the SDK. */
const isLocalStream = (file: string, name: string) =>
  file === 'bin/local/events/stream.ts' && name === '@aws-sdk/client-dynamodb-streams';
const roomOf = (file: string) => /^bin\/(\w+)\//.exec(file)?.[1];
/** The handlers of several routes. */
const isHandlers = (file: string) => /^functions\/\w+\/http\/(?:.+\/)?(?:\w+-)?handlers\.ts$/.test(file);
const usesSdk = (file: string) => inside('functions/kernel/dynamodb', file) || inside('functions/operator', file);

/** The capability and the room of a file. */
function placeOf(file: string) {
  const [, capability = '', room = ''] = /^functions\/(kernel\/accounts|\w+)\/(\w+)\//.exec(file) ?? [];
  return ROOMS.includes(room) && (capability in CAPABILITIES || capability === 'kernel/accounts')
    ? { capability, room }
    : undefined;
}

const IMPORT_RULES: ImportRule[] = [
  // The generator of validators finds the schemas.
  (file, name) => (name === '?' && file !== 'bin/generate/validators.ts' ? 'computes the name of a module' : undefined),
  (file, name) =>
    inside('functions', file) && /^(?:bin|client|lib|test|web)\//.test(name)
      ? 'functions import nothing of the project outside of functions'
      : undefined,
  (file, name) => (/^(?:lib|web)\//.test(file) && inside('bin', name) ? 'bin imports lib and web' : undefined),
  (file, name) =>
    inside('web', file) &&
    inside('functions', name) &&
    !/^functions\/(?:\w+\/rules|kernel\/fields|kernel\/accounts\/rules)\//.test(name)
      ? 'pages import rules only'
      : undefined,
  (file, name) => {
    const [from, to] = [roomOf(file), roomOf(name)];
    return from === undefined || to === undefined || to === from || to === 'service'
      ? undefined
      : 'the rooms of bin share bin/service only';
  },
  (file, name) =>
    inside('functions/kernel', file) && inside('functions', name) && !inside('functions/kernel', name)
      ? 'the kernel knows no capability'
      : undefined,
  (file, name) => {
    const [from, to] = [placeOf(file), placeOf(name)];
    if (!from || !to || from.capability === to.capability || to.capability === 'kernel/accounts') return undefined;
    return CAPABILITIES[from.capability]?.includes(to.capability)
      ? undefined
      : `${from.capability} may not import ${to.capability}`;
  },
  (file, name) => {
    const [from, to] = [placeOf(file), placeOf(name)];
    if (!from || !to || ROOMS.indexOf(to.room) <= ROOMS.indexOf(from.room)) return undefined;
    return `${from.room} never imports ${to.room}`;
  },
  (file, name, isType) => {
    const room = placeOf(file)?.room ?? '';
    // They pass a table on.
    const isPassedOn = isType && (room === 'http' || room === 'stream') && inside('functions/kernel/dynamodb', name);
    return UNKNOWN_TO[room]?.test(name) && !isPassedOn ? `${room} does not know this part of the kernel` : undefined;
  },
  (file, name) =>
    placeOf(file) && isJoint(name) && !(isDocument(file) && isDocument(name))
      ? 'a capability does not know what joins capabilities'
      : undefined,
  (file, name) =>
    inside('functions/kernel/http', file) && /^functions\/kernel\/(?:accounts\/table|dynamodb|operator)\//.test(name)
      ? 'http does not know the table'
      : undefined,
  (file, name) =>
    inside('functions/kernel/dynamodb', file) &&
    inside('functions/kernel', name) &&
    !/^functions\/kernel\/(?:\w+\.ts$|fields\/|dynamodb\/)/.test(name)
      ? 'what writes to the table knows no item'
      : undefined,
  (file, name) =>
    inside('functions', file) && !isOperator(file) && isOperator(name)
      ? 'Lambda code never imports what only the operator uses'
      : undefined,
  (file, name) =>
    isDocument(name) && inside('functions', file) && !isDocument(file)
      ? 'only bin/generate reads the documentation of operations: no Lambda bundle contains it'
      : undefined,
  (file, name) =>
    isPackage(name, '@aws-sdk') && !usesSdk(file) && !isLocalStream(file, name)
      ? 'only the kernel imports the AWS SDK, and what creates the table'
      : undefined,
  (file, name) =>
    isPackage(name, '@middy') && !inside('functions/kernel/http', file)
      ? "only the kernel's http imports middy"
      : undefined,
  (file, name) =>
    placeOf(file)?.room === 'rules' && !inside('functions', name) && !PURE.includes(name)
      ? 'rules need no package'
      : undefined,
];

function* importFaults(sources: Sources) {
  for (const [file, source] of sources) {
    const values = importsOf(file, source, 'values');
    for (const imported of importsOf(file, source)) {
      for (const rule of IMPORT_RULES) {
        const fault = rule(file, imported, !values.includes(imported));
        if (fault) yield `${file} imports ${imported}: ${fault}`;
      }
    }
  }
}

const linesOf = (source: string) => source.replace(/\n$/, '').split('\n').length;

const readsEnvironment = (file: string, source: string) =>
  inside('functions', file) && file !== ENVIRONMENT && /\bprocess\s*(?:\.\s*|\[\s*['"])env\b/.test(source);

/** True for a file that no rule about rooms would judge. The built script is a text. */
const isHomeless = (file: string) =>
  inside('functions', file) &&
  !inside('functions/kernel', file) &&
  !isJoint(file) &&
  !placeOf(file) &&
  !file.startsWith('functions/pages/script.');

function* fileFaults(sources: Sources) {
  for (const [file, source] of sources) {
    if (linesOf(source) > 300) yield `${file} has more than 300 lines`;
    if (isHomeless(file)) yield `${file} stands in no room of a listed capability`;
    if (inside('functions', file) && /\/(?:index\.[^/]*|utils?\b[^/]*|helpers?\b[^/]*)(?:\/|$)/i.test(file)) {
      yield `${file} has a name without a meaning`;
    }
    if (readsEnvironment(file, source)) yield `${file} reads the environment itself`;
    if (!usesSdk(file) && !inside('functions/kernel/operator', file) && /\btable\s*\.\s*send\b/.test(source)) {
      yield `${file} sends requests of the SDK itself`;
    }
    if (doesMoreThanCall(file, source)) yield `${file} does more than parse and call`;
  }
}

function doesMoreThanCall(file: string, source: string): boolean {
  if (isApi(file)) return /\btry\s*\{|\bcatch\b|JSON\.parse|@aws-sdk/.test(source);
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
  test('the sources import in one direction, and capabilities only what their list allows', () => {
    expect([...importFaults(sources)]).toEqual([]);
  });

  test('the sources have no circle of imports, types included', () => {
    expect(filesInCircles(sources)).toEqual([]);
    const circle = [
      ['functions/kernel/a.ts', "import type { B } from './b.ts';"],
      ['functions/kernel/b.ts', "import { c } from './c.ts';"],
      ['functions/kernel/c.ts', "import { a } from './a.ts';"],
      ['functions/kernel/d.ts', "import { a } from './a.ts';"],
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
    expect([...read.keys()].filter(isApi)).toHaveLength(6);
    expect([...read.keys()].filter(isHandlers).length).toBeGreaterThanOrEqual(8);
    const rooms = new Set([...read.keys()].map((file) => placeOf(file)?.capability));
    expect([...rooms].filter((name) => name !== undefined).sort()).toEqual(
      [...Object.keys(CAPABILITIES), 'kernel/accounts'].sort(),
    );
  });
});

describe('rules', () => {
  test.each([
    ['functions/program/table/a.ts', "import { a } from '../../../lib/a.ts';"],
    ['functions/program/rules/a.ts', "import type { A } from '../../../bin/local/a.ts';"],
    ['functions/kernel/a.ts', "import { a } from '../ledger/rules/a.ts';"],
    ['functions/program/rules/a.ts', "import type { A } from '../../webhooks/rules/a.ts';"],
    ['functions/program/http/a.ts', "import { a } from '../../statistics/rules/a.ts';"],
    ['functions/program/docs/a.ts', "import { a } from '../../statistics/docs/a.ts';"],
    ['functions/program/rules/a.ts', "import { a } from '../table/a.ts';"],
    ['functions/program/table/a.ts', "import { a } from '../http/a.ts';"],
    ['functions/program/rules/a.ts', "import type { Key } from '../../kernel/dynamodb/keys.ts';"],
    ['functions/program/http/a.ts', "import { get, type Table } from '../../kernel/dynamodb/table.ts';"],
    ['functions/program/http/a.ts', "import { ROUTES } from '../../routes.ts';"],
    ['functions/program/rules/a.ts', "import { a } from 'a';"],
    ['functions/program/rules/a.ts', "import { get } from 'node:https';"],
    ['functions/program/http/a.ts', "import { a } from '../../../web/kit/a.ts';"],
    ['functions/program/stream/a.ts', "import { get } from '../../kernel/dynamodb/table.ts';"],
    ['functions/program/a.ts', ''],
    ['functions/program/extras/a.ts', ''],
    ['functions/unlisted/rules/a.ts', ''],
    ['lib/a.ts', "import { a } from '../bin/a.ts';"],
    ['web/kit/a.ts', "import { a } from '../../functions/kernel/dynamodb/a.ts';"],
    ['functions/program/rules/a.ts', 'const a = await import(name);'],
    ['functions/kernel/http/a.ts', "import { a } from '../dynamodb/a.ts';"],
    ['functions/kernel/dynamodb/a.ts', "import { a } from '../accounts/table/a.ts';"],
    ['functions/tracking/http/a.ts', "import { a } from '../operator/a.ts';"],
    ['functions/lambdas/a.ts', "import { a } from '../operator/a.ts';"],
    ['functions/api/tracking.ts', "import { a } from '@aws-sdk/client-dynamodb';"],
    ['bin/local/a.ts', "import { a } from '../admin/a.ts';"],
    ['bin/service/a.ts', "import { a } from '../local/a.ts';"],
    ['functions/webhooks/stream/aws.ts', "import { a } from '@aws-sdk/client-dynamodb';"],
    ['functions/program/table/a.ts', "import middy from '@middy/core';"],
    ['functions/api/tracking.ts', 'try {\n  a();\n} finally {\n}'],
    ['functions/tracking/http/handlers.ts', 'await table.send(a);'],
    ['functions/tracking/http/handlers.ts', "import { operations } from '../docs/operations.ts';"],
    ['functions/kernel/http/a.ts', "process['env']"],
    ['functions/kernel/http/index.ts', ''],
    ['web/a.ts', 'a();\n'.repeat(301)],
  ])('the rules report %s with %j', (file, source) => {
    expect(faultsOf(new Map([[file, source]]))).not.toEqual([]);
  });
});

/** The file that writes: its functions require a condition and return the item that fails it. */
const WRITER = 'functions/kernel/dynamodb/writes.ts';

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
      expect(writeFaults(new Map([['functions/program/table/a.ts', source]]))).toHaveLength(1);
    },
  );
});
