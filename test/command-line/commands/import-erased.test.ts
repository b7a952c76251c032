import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { canonicalText } from '../../../bin/admin/csv.ts';
import { UUIDV7_PATTERN } from '../../../functions/domain/ids.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();

let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
  await anAdvocate(table, program, { slug: 'jane' });
});

interface Person {
  readonly email: string;
  readonly uid: string;
}

const COLUMNS = ['id', 'advocate_slug', 'state', 'email', 'uid', 'sub_id', 'created_at'];
const START = 1_700_000_000;
const line = ({ email, uid }: Person, state = 'paid', id = '') => `${id},jane,${state},${email},${uid},spring,${START}`;
const content = (...lines: string[]) => [COLUMNS.join(','), ...lines].join('\n');
const imported = async (text: string, into = program) => importing(table, 'referral', into.id, await file(text));
const created = (count: number) => ({ created: count, skipped: 0, failed: [] });
const command = (verb: string, ...args: string[]) =>
  jsonHere(table, 'referral', verb, '--program', program.id, ...args);

const idsOf = async (where: Program) =>
  (await itemsOf(table, where)).filter(({ sk }) => sk === 'REFERRAL').map(({ pk }) => String(pk).slice(-36));

/** Returns digests of the person and of everything in the line that contains their data. */
function digestsOf({ email, uid }: Person, text: string): string[] {
  const cells = Object.fromEntries(text.split(',').map((cell, index) => [COLUMNS[index], cell]));
  const derived = canonicalText(program.id, cells);
  const sources = [email, uid, `${email}${uid}`, `${email},${uid}`, text, derived, `0 ${derived}`];
  // Click ids are derived from the digest of a numbered source.
  return [...sources, ...sources.map((source) => `0\n${source}`)].flatMap((source) =>
    ['md5', 'sha1', 'sha256'].flatMap((algorithm) =>
      (['hex', 'base64', 'base64url'] as const).map((encoding) =>
        createHash(algorithm).update(source).digest(encoding),
      ),
    ),
  );
}

/** Returns the traces of a person in the table: values, digests of values, and ids that are part of a digest. */
async function tracesOf(person: Person, text: string): Promise<string[]> {
  const left = JSON.stringify(await itemsOf(table, program));
  const digests = digestsOf(person, text);
  const ids = [...left.matchAll(new RegExp(UUIDV7_PATTERN, 'g'))].map(([id]) => id);
  return [
    ...[person.email, person.uid, ...digests].filter((value) => left.includes(value)),
    // The last part of a UUIDv7 is either completely random or completely derived.
    ...ids.filter((id) => digests.some((digest) => digest.includes(id.slice(-12)))),
  ];
}

describe('people who were imported without an id and erased', () => {
  const ann = { email: 'ann@shop.example', uid: 'customer-ann' };
  const bob = { email: 'robert@shop.example', uid: 'customer-b' };

  test('an erased person leaves neither value nor digest in the table, even after an import of others', async () => {
    const text = line(ann);
    expect(await imported(content(text, line(bob)))).toEqual(created(2));
    // Without this check, the test could search for values that are never stored.
    expect((await tracesOf(ann, text)).length).toBeGreaterThanOrEqual(4);
    await command('erase', '--email', ann.email);
    expect(await tracesOf(ann, text)).toEqual([]);
    expect(await imported(content(line(bob)))).toEqual({ created: 0, skipped: 1, failed: [] });
    expect(await tracesOf(ann, text)).toEqual([]);
  });

  test('an erased person without an id becomes a new referral if the file is imported again', async () => {
    const text = content(line(ann));
    await imported(text);
    const [erased = ''] = await idsOf(program);
    await command('erase', '--email', ann.email);
    expect(await imported(text)).toEqual(created(1));
    const ids = await idsOf(program);
    expect(ids).toHaveLength(2);
    const [fresh = ''] = ids.filter((id) => id !== erased);
    expect(fresh.slice(-12)).not.toBe(erased.slice(-12));
    expect(await command('show', '--id', erased)).toMatchObject({ email: null, uid: null, state: 'paid' });
    expect(await command('show', '--email', ann.email)).toMatchObject({ id: fresh, uid: ann.uid });
    expect(await imported(text)).toEqual({ created: 0, skipped: 1, failed: [] });
  });
});

test('a person whose line has an id stays erased if the file is imported again', async () => {
  const text = content(line({ email: 'cat@shop.example', uid: 'customer-cat' }, 'churned', newId(START)));
  expect(await imported(text)).toEqual(created(1));
  await command('erase', '--email', 'cat@shop.example');
  const before = await itemsOf(table, program);
  expect(await imported(text)).toEqual({ created: 0, skipped: 1, failed: [] });
  expect(await itemsOf(table, program)).toEqual(before);
});
