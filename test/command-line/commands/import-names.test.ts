import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { adminHere, importing, useFiles } from '../../support/admin-here.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram } from '../../support/program.ts';
import { allItems, itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
const file = useFiles();

let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
  await anAdvocate(table, program, { slug: 'jane', email: 'jane@partners.example', uid: '4711' });
});

const imported = async (lines: readonly string[], ...options: string[]) =>
  importing(table, 'referral', program.id, await file(lines.join('\n')), ...options);
const created = (count: number) => ({ created: count, skipped: 0, failed: [] });
/** The advocates of the stored referrals, by the customers' uids. */
async function advocatesByCustomer(): Promise<Record<string, unknown>> {
  const { stdout } = await adminHere(table, 'referral', 'export', '--program', program.id, '--format', 'ndjson');
  const rows = stdout.split('\n').slice(0, -1);
  return Object.fromEntries(rows.map((line) => JSON.parse(line)).map((row) => [row.uid, row.advocate_slug]));
}

describe('references to an advocate', () => {
  test('a line identifies its advocate by slug, by email, by uid, or in several ways', async () => {
    await anAdvocate(table, program, { slug: 'joe', email: 'joe@partners.example', uid: '4712' });
    const content = [
      'advocate_slug,advocate_email,advocate_uid,state,uid',
      'jane,,,paid,1',
      ',Jane@Partners.example ,,paid,2',
      ',,4711,paid,3',
      'JANE,jane@partners.example,4711,paid,4',
      ',joe@partners.example,4712,paid,5',
    ];
    expect(await imported(content)).toEqual(created(5));
    expect(await advocatesByCustomer()).toEqual({ 1: 'jane', 2: 'jane', 3: 'jane', 4: 'jane', 5: 'joe' });
  });

  test('a line gets the own rate of its advocate', async () => {
    await anAdvocate(table, program, { slug: 'joe', email: 'joe@b.example', uid: 'joe', commissionPercentage: 7 });
    const content = ['advocate_email,advocate_uid,state,uid', 'joe@b.example,,paid,1', ',joe,paid,2'];
    expect(await imported(content)).toEqual(created(2));
    const rates = (await itemsOf(table, program)).filter(({ sk }) => sk === 'REFERRAL').map(({ rate }) => rate);
    expect(rates).toEqual([7, 7]);
  });

  test('a line identifies its advocate by slug or uid if several advocates have its email', async () => {
    for (const [slug, uid] of [
      ['joe', '4712'],
      ['jim', '4713'],
    ] as const) {
      await anAdvocate(table, program, { slug, email: 'shared@partners.example', uid });
    }
    const content = [
      'advocate_slug,advocate_email,advocate_uid,state,uid',
      'joe,shared@partners.example,,paid,1',
      'JIM,Shared@Partners.example,,paid,2',
      ',shared@partners.example,4712,paid,3',
      'jim,shared@partners.example,4713,paid,4',
    ];
    expect(await imported(content, '--dry-run')).toEqual(created(4));
    expect(await imported(content)).toEqual(created(4));
    expect(await advocatesByCustomer()).toEqual({ 1: 'joe', 2: 'jim', 3: 'joe', 4: 'jim' });
    expect(await imported(content)).toEqual({ created: 0, skipped: 4, failed: [] });
  });

  test('a line fails for unknown advocates, for different ones, and for an email that several have', async () => {
    await anAdvocate(table, program, { slug: 'joe', email: 'shared@partners.example', uid: '4712' });
    await anAdvocate(table, program, { slug: 'jim', email: 'shared@partners.example', uid: '4713' });
    const other = await aProgram(table);
    await anAdvocate(table, other, { slug: 'else', email: 'else@partners.example', uid: '4714' });
    const several =
      'advocate_email belongs to several advocates: name the advocate by advocate_slug or advocate_uid instead';
    const disagree = 'advocate_slug, advocate_email and advocate_uid must name the same advocate';
    const unknown = (column: string) =>
      `advocate_${column} does not belong to an advocate of the program: import the advocates first`;
    const cases: [string, string][] = [
      [',,,', 'advocate_slug or advocate_email or advocate_uid must not be empty'],
      ['else,,,', unknown('slug')],
      [',else@partners.example,,', unknown('email')],
      [',,4714,', unknown('uid')],
      ['jane,,nobody,', unknown('uid')],
      [',shared@partners.example,,', several],
      ['jane,shared@partners.example,,', disagree],
      [',shared@partners.example,4711,', disagree],
      ['joe,shared@partners.example,4713,', disagree],
      ['nobody,shared@partners.example,,', unknown('slug')],
      ['jane,,4712,', disagree],
      ['joe,jane@partners.example,4712,', disagree],
      [',jane@partners.example,4713,', disagree],
      [',jane@partners,,', 'advocate_email must be an email address such as name@example.com'],
      [`,,${'u'.repeat(129)},`, 'advocate_uid must be 1 to 128 characters long'],
    ];
    const before = await allItems(table);
    const content = [
      'advocate_slug,advocate_email,advocate_uid,sub_id,state',
      ...cases.map(([line]) => `${line},clicked`),
    ];
    const failed = cases.map(([, reason], index) => ({ line: index + 2, reason }));
    expect(await imported(content)).toEqual({ created: 0, skipped: 0, failed });
    expect(await allItems(table)).toEqual(before);
  });
});

test('a click is the same whether its file identifies the advocate by slug, email or uid', async () => {
  expect(await imported(['advocate_slug,state,created_at', 'jane,clicked,1700000000'])).toEqual(created(1));
  for (const lines of [
    ['advocate_email,state,created_at', 'jane@partners.example,clicked,1700000000'],
    ['advocate_uid,state,created_at', '4711,clicked,1700000000'],
  ]) {
    expect(await imported(lines)).toEqual({ created: 0, skipped: 1, failed: [] });
  }
});

test('advocates are read once: slugs and uids in batches, emails with the list of all advocates', async () => {
  const lines = Array.from({ length: 300 }, (_, index) => `${index}`);
  const reads = async (header: string, cell: string) => {
    proxy.reset();
    const path = await file([`${header},state,uid`, ...lines.map((uid) => `${cell},paid,${header}${uid}`)].join('\n'));
    expect(await importing(proxied.faulty, 'referral', program.id, path)).toEqual(created(300));
    return proxy.seen.filter((operation) => /Get|Query|Scan/.test(operation));
  };
  // The first request reads the program.
  expect(await reads('advocate_slug', 'jane')).toEqual(['GetItem', 'BatchGetItem']);
  expect(await reads('advocate_uid', '4711')).toEqual(['GetItem', 'BatchGetItem']);
  expect(await reads('advocate_email', 'jane@partners.example')).toEqual(['GetItem', 'Query', 'BatchGetItem']);
});

describe('the names in a file', () => {
  const run = async (content: string, ...options: string[]) =>
    adminHere(
      table,
      'referral',
      'import',
      '--program',
      program.id,
      '--json',
      '--file',
      await file(content),
      ...options,
    );

  test('the names may have any case, be separated by semicolons, and include unknown ones', async () => {
    const content = 'Advocate_Slug;STATE;Note; Uid ;;Amount\njane;paid;"a;b\nc";1;;"1,5"\njane;paid;;2;x;\n';
    expect(await run(content)).toEqual({
      status: 0,
      stdout: '{"created":2,"skipped":0,"failed":[]}\n',
      stderr: 'Unknown columns are ignored: "Note", "", "Amount". Use --map to import one of them.\n',
    });
  });

  test.each([
    ['sep=;', ';'],
    ['SEP=,', ','],
  ])("the names may follow Excel's line %j, and lines keep their numbers in the file", async (separator, delimiter) => {
    const lines = [
      ['advocate_slug', 'state', 'uid'],
      ['jane', 'paid', '1'],
      ['jane', 'paid', ''],
    ];
    const content = ['\ufeff', [separator, ...lines.map((cells) => cells.join(delimiter))].join('\r\n')].join('');
    const failed = [{ line: 4, reason: 'email or uid is required unless the state is clicked' }];
    expect(await imported([content])).toEqual({ created: 1, skipped: 0, failed });
  });

  test.each([
    ['sep=;\nuid;state\n', 2, 'the header must name the column advocate_slug or advocate_email or advocate_uid'],
    ['sep=;\n', 1, 'the file is empty: its first line must name its columns'],
  ])('wrong names in %j are reported with the number of their line', async (content, line, reason) => {
    expect(await imported([content])).toEqual({ created: 0, skipped: 0, failed: [{ line, reason }] });
  });

  test('the names in a file are not reported if the file has no header, because they are personal data then', async () => {
    const { status, stderr } = await run('jane,paid,secret@shop.example\n');
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.not.stringContaining('secret') });
  });

  test('the names in a file can be translated by --map and --map-state', async () => {
    const content = 'Partner=Code,Status,ID\njane,ACTIVE,1\njane,gone,2\njane,paid,3\njane,other,4\n';
    const options = ['--map', 'partner=code=advocate_slug', '--map', 'Status=state', '--map', 'ID=uid'];
    const states = ['--map-state', 'active=paid', '--map-state', 'gone=churned'];
    const { stdout } = await run(content, ...options, ...states);
    const reason =
      'state ("Status" in the file) must be one of clicked, converted, paid, churned, rejected, or translated with --map-state';
    expect(JSON.parse(stdout)).toEqual({ created: 3, skipped: 0, failed: [{ line: 5, reason }] });
  });

  test('a header that names a column twice is reported, and nothing is imported', async () => {
    const content = 'advocate_slug,state,uid,a,b\njane,paid,1,2,3\n';
    const { status, stdout, stderr } = await run(content, '--map', 'a=sub_id', '--map', 'b=sub_id');
    const reason = 'the header must not name the column sub_id twice';
    expect({ status, report: JSON.parse(stdout) }).toEqual({
      status: 1,
      report: { created: 0, skipped: 0, failed: [{ line: 1, reason }] },
    });
    expect(stderr).toBe('Some lines were not imported. Correct them, and import the same file again.\n');
  });

  test.each([
    [['--map', 'secret=nothing'], '--map must end with = and one of id, advocate_slug'],
    [['--map', '=uid'], '--map must have the form THEIRS=OURS'],
    [['--map-state', 'secret=open'], '--map-state must end with = and one of clicked, converted'],
    [['--from', 'secret'], 'Allowed choices are rewardful, firstpromoter, tapfiliate.'],
  ])('the names in a file cannot be given as %j', async (options, message) => {
    const { status, stdout, stderr } = await run('advocate_slug,state\n', ...options);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
  });
});
