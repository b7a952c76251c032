import type { ChildProcess } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Program } from '../../../functions/domain/program.ts';
import { runAdmin } from '../../support/admin.ts';
import { adminHere, type Imported, importing, useFiles } from '../../support/admin-here.ts';
import { FaultyProxy, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
const file = useFiles();

let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
});

type Noun = 'advocate' | 'referral';

/** Imports a file without and with `--dry-run`, which must report the same and write nothing. Returns the report. */
async function rehearsed(noun: Noun, lines: readonly string[], into = program): Promise<Imported> {
  const path = await file(lines.join('\n'));
  const before = await allItems(table);
  const announced = await importing(table, noun, into.id, path, '--dry-run');
  expect(await allItems(table)).toEqual(before);
  expect(await importing(table, noun, into.id, path)).toEqual(announced);
  return announced;
}

const cell = (...values: string[]) => fc.constantFrom('', ...values);

describe('reports of a dry run', () => {
  test('a dry run writes no advocates and reports what the import then does', async () => {
    const line = fc
      .tuple(
        fc.constantFrom('a@b.example', 'A@b.example', 'c@d.example', 'invalid'),
        cell('Jane'),
        cell('jane', 'JOE', 'jane-2', 'not valid'),
        cell('1', '2'),
        cell('true', 'false', 'TRUE'),
      )
      .map((cells) => cells.join(','));
    const aFile = fc.array(line, { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(aFile, aFile, async (first, second) => {
        const into = await aProgram(table);
        const header = 'email,first_name,slug,uid,active';
        await rehearsed('advocate', [header, ...first], into);
        await rehearsed('advocate', [header, ...second], into);
      }),
      { numRuns: 4 },
    );
  });

  test('a dry run writes no referrals and reports what the import then does', async () => {
    const ids = [newId(), newId()];
    const line = fc
      .tuple(
        fc.boolean().chain((hasId) => fc.constantFrom(...(hasId ? ids : ['']))),
        fc.constantFrom('jane', 'joe', 'nobody', ''),
        cell('4711', '4712'),
        cell('a@shop.example', 'A@shop.example', 'b@shop.example', 'invalid'),
        cell('u1', 'u2'),
        fc.constantFrom('clicked', 'converted', 'paid', 'rejected', 'other'),
        cell('1700000000', 'yesterday'),
        cell('cus_1', 'cus_2'),
      )
      .map((cells) => cells.join(','));
    const aFile = fc.array(line, { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(aFile, aFile, async (first, second) => {
        const into = await aProgram(table);
        await anAdvocate(table, into, { slug: 'jane', uid: '4711' });
        await anAdvocate(table, into, { slug: 'joe', uid: '4712' });
        const header = 'id,advocate_slug,advocate_uid,email,uid,state,created_at,stripe_customer';
        await rehearsed('referral', [header, ...first], into);
        await rehearsed('referral', [header, ...second], into);
      }),
      { numRuns: 4 },
    );
  });

});

test('the report for people says that nothing was written', async () => {
  const run = async (content: string) =>
    adminHere(table, ...['advocate', 'import', '--program', program.id, '--dry-run', '--file', await file(content)]);
  const remark = 'This was a dry run: nothing was written.\n';
  const good = await run('email,slug\na@b.example,a\n');
  expect(good).toEqual({ status: 0, stdout: expect.stringMatching(`\u2518\n${remark}$`), stderr: '' });
  const reason = 'line 2: email must be an email address such as name@example.com\n';
  expect(await run('email,slug\ninvalid,a\n')).toEqual({
    status: 1,
    stdout: expect.stringMatching(`\u2518\n${reason}${remark}$`),
    stderr: 'Some lines would not be imported. Correct them, and repeat the dry run.\n',
  });
});

describe('dry runs as a process', () => {
  const engine = String(process.env['DYNAMODB_ENDPOINT']);
  const run = async (endpoint: string, content: string, watch?: (child: ChildProcess) => void) => {
    const args = ['referral', 'import', '--json', '--dry-run', '--program', program.id, '--file', await file(content)];
    const environment = { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name };
    return runAdmin(args, environment, watch && { watch });
  };
  beforeEach(() => anAdvocate(table, program, { slug: 'jane' }));

  test('a dry run that Ctrl-C interrupts says that nothing was written', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `jane,paid,c${index}@shop.example`);
    const ownProxy = new FaultyProxy(engine);
    const { promise: started, resolve } = Promise.withResolvers<ChildProcess>();
    const running = run(await ownProxy.start(), ['advocate_slug,state,email', ...lines].join('\n'), resolve);
    while (ownProxy.seen.length < 5) await setImmediate();
    (await started).kill('SIGINT');
    const { status, stdout, stderr } = await running;
    await ownProxy.stop();
    expect({ status, stderr }).toEqual({ status: 130, stderr: 'The import was interrupted. Nothing was written.\n' });
    expect(stdout).toMatch(/^\{"created":\d+,"skipped":0,"failed":\[\]\}\n$/);
  });
});
