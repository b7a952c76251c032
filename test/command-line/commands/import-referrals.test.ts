import { describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { adminHere, importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { allItems, itemsOf } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram({}, { slug: 'jane', commissionPercentage: 7 });
const file = useFiles();

const START = 1_700_000_000;
const A_YEAR = 1_731_622_400;
const imported = async (content: string | Uint8Array, into = program) =>
  importing(table, 'referral', into.id, await file(content));
const created = (count: number) => ({ created: count, skipped: 0, failed: [] });
const show = (email: string) => jsonHere(table, 'referral', 'show', '--program', program.id, '--email', email);
/** Returns the exported rows of a program. */
async function rowsOf({ id }: Program): Promise<Record<string, unknown>[]> {
  const { stdout } = await adminHere(table, 'referral', 'export', '--program', id, '--format', 'ndjson');
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

describe('lines', () => {
  test('a line sets the slug, state, times, sub id, rate, end of the commission and flags', async () => {
    const id = newId();
    const content = `id,advocate_slug,email,uid,state,sub_id,created_at,state_set_at,commission_percentage,commission_end_date,flags
${id},Jane,Ann@Shop.example,cus_1,churned,spring,${START},2023-11-15T00:00:00.9+01:00,12.5,${A_YEAR}, self_referral  self_referral`;
    expect(await imported(content)).toEqual(created(1));
    expect(await show('ann@shop.example')).toEqual({
      id,
      affiliate_slug: 'jane',
      email: 'ann@shop.example',
      uid: 'cus_1',
      state: 'churned',
      state_set_at: 1_700_002_800,
      created_at: START,
      updated_at: 1_700_002_800,
      sub_id: 'spring',
      commission_percentage: 12.5,
      commission_end_date: A_YEAR,
      flags: ['self_referral'],
      advocate: expect.objectContaining({ slug: 'jane', email: advocate.email, active: true }),
      history: [{ type: 'state', state: 'churned', set_at: 1_700_002_800, by: 'import' }],
    });
  });

  test('a line uses the defaults of a new referral for columns that are missing in the file', async () => {
    const before = now();
    expect(await imported('state,advocate_slug,email\nconverted,jane,bob@shop.example\n')).toEqual(created(1));
    const { created_at: at, ...rest } = (await show('bob@shop.example')) as { created_at: number };
    expect(at).toBeGreaterThanOrEqual(before);
    expect(rest).toMatchObject({ uid: null, sub_id: null, commission_percentage: 7, state_set_at: at });
    expect(await imported(`state,advocate_slug,email,created_at\npaid,jane,cat@shop.example,${START}`)).toEqual(
      created(1),
    );
    expect(await show('cat@shop.example')).toMatchObject({
      state_set_at: START,
      commission_end_date: A_YEAR,
    });
    // In the state converted, state_set_at is the time of the conversion.
    expect(
      await imported(
        `state,advocate_slug,email,created_at,state_set_at\nconverted,jane,dan@shop.example,${START - 500},${START}`,
      ),
    ).toEqual(created(1));
    expect(await show('dan@shop.example')).toMatchObject({
      created_at: START - 500,
      commission_end_date: A_YEAR,
    });
    expect(await imported(`state,advocate_slug,email,state_set_at\npaid,jane,eve@shop.example,${START}`)).toEqual(
      created(1),
    );
    expect(await show('eve@shop.example')).toMatchObject({ created_at: START, state_set_at: START });
  });

  test('a line sets no value for an empty cell', async () => {
    const content = `advocate_slug,email,uid,state,sub_id,created_at,state_set_at,commission_percentage,commission_end_date
jane,,cus_2,paid,,${START},,,`;
    const other = await aProgram(table);
    await anAdvocate(table, other, { slug: 'jane' });
    expect(await imported(content, other)).toEqual(created(1));
    expect(await rowsOf(other)).toMatchObject([
      {
        advocate_slug: 'jane',
        email: null,
        uid: 'cus_2',
        state: 'paid',
        sub_id: null,
        created_at: START,
        state_set_at: START,
        commission_percentage: null,
        commission_end_date: null,
        flags: [],
      },
    ]);
  });

  test('a line has only the flags in the file, even if the advocate refers itself', async () => {
    for (const end of ['', ',']) {
      const content = `advocate_slug,state,email${end && ',flags'}\njane,paid,${advocate.email}${end}`;
      const other = await aProgram(table);
      await anAdvocate(table, other, { slug: 'jane', email: String(advocate.email) });
      expect(await imported(content, other)).toEqual(created(1));
      expect(await rowsOf(other)).toEqual([expect.objectContaining({ flags: [] })]);
    }
  });

  test('a line is imported even if its advocate is deactivated', async () => {
    const gone = await anAdvocate(table, program, { slug: 'gone' });
    await updateAdvocate(table, program.id, gone.slug, { active: false });
    expect(await imported('advocate_slug,state,uid\ngone,paid,cus_3')).toEqual(created(1));
  });
});

test('a byte order mark, CRLF, quotes, apostrophes, empty lines and a last line without a line break are accepted', async () => {
  const other = await aProgram(table);
  await anAdvocate(table, other, { slug: 'jane' });
  const lines = [
    'advocate_slug,state,"uid",sub_id',
    'jane,paid,"a ""b"", c",',
    '',
    "jane,paid,'=1+1,''@x",
    'jane,"paid",Ünï,"o\'neil"',
  ];
  expect(await imported(`\ufeff${lines.join('\r\n')}`, other)).toEqual(created(3));
  const rows = await rowsOf(other);
  const values = rows.map(({ uid, sub_id }) => [uid, sub_id]);
  expect(values).toHaveLength(3);
  expect(values).toEqual(
    expect.arrayContaining([
      ['a "b", c', null],
      ['=1+1', "'@x"],
      ['Ünï', "o'neil"],
    ]),
  );
});

describe('clicks', () => {
  test('clicks need no id, email or uid, and equal lines create different clicks', async () => {
    const other = await aProgram(table, { attributionDays: 10 });
    await anAdvocate(table, other, { slug: 'jane' });
    const click = `jane,clicked,${START},spring`;
    const content = `advocate_slug,state,created_at,sub_id\n${click}\n${click}\njane,clicked,${START},\n${click}\n`;
    expect(await imported(content, other)).toEqual(created(4));
    const rows = await rowsOf(other);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(4);
    expect(await imported(content, other)).toEqual({ created: 0, skipped: 4, failed: [] });
    expect(await rowsOf(other)).toEqual(rows);
    const expiries = (await itemsOf(table, other)).filter(({ sk }) => sk === 'REFERRAL');
    expect(expiries.map(({ expires_at }) => expires_at)).toEqual(Array(4).fill(START + 864_000));
  });
});

test('a click that occurs again in the file as a referral becomes that referral', async () => {
  const other = await aProgram(table);
  await anAdvocate(table, other, { slug: 'jane' });
  const id = newId();
  const content = `id,advocate_slug,email,state\n${id},jane,,clicked\n${id},jane,late@shop.example,paid\n`;
  expect(await imported(content, other)).toEqual(created(2));
  expect(await rowsOf(other)).toMatchObject([{ id, email: 'late@shop.example', state: 'paid' }]);
  expect(await imported(content, other)).toEqual({ created: 0, skipped: 2, failed: [] });
});

test('a second run creates nothing, even if the referrals have changed', async () => {
  const other = await aProgram(table);
  await anAdvocate(table, other, { slug: 'jane' });
  const content = `state,advocate_slug,email,uid
converted,jane,ann@shop.example,
converted,jane,bob@shop.example,cus_1
paid,jane,,cus_2
clicked,jane,,`;
  expect(await imported(content, other)).toEqual(created(4));
  await jsonHere(
    table,
    'referral',
    'set-state',
    '--program',
    other.id,
    '--email',
    'ann@shop.example',
    '--state',
    'paid',
  );
  const before = await allItems(table);
  expect(await imported(content, other)).toEqual({ created: 0, skipped: 4, failed: [] });
  // The columns may be in another order.
  const reversed = content
    .split('\n')
    .map((line) => line.split(',').reverse().join(','))
    .join('\n');
  expect(await imported(reversed, other)).toEqual({ created: 0, skipped: 4, failed: [] });
  expect(await allItems(table)).toEqual(before);
});

test('an imported referral can be changed like any other', async () => {
  const content = `advocate_slug,state,email\njane,rejected,fay@shop.example\njane,churned,gus@shop.example`;
  expect(await imported(content)).toEqual(created(2));
  const set = (email: string, state: string) =>
    jsonHere(table, 'referral', 'set-state', '--program', program.id, '--email', email, '--state', state);
  expect(await set('fay@shop.example', 'converted')).toMatchObject({ state: 'converted' });
  expect(await set('gus@shop.example', 'paid')).toMatchObject({ state: 'paid' });
});
