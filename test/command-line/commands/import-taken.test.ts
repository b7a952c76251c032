import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { importing, useFiles } from '../../support/admin-here.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
  await anAdvocate(table, program, { slug: 'jane' });
});

const imported = async (content: string | Uint8Array) => importing(table, 'referral', program.id, await file(content));

describe('ids, emails and uids of another referral', () => {
  const header = 'id,advocate_slug,state,email,uid';
  const taken = (line: number, name: string) => ({ line, reason: `${name} belongs to another referral` });

  test('an id, email or uid belongs to the first line of a file, at any distance and in every run', async () => {
    const id = newId();
    const filler = Array.from({ length: 1200 }, (_, index) => `,jane,paid,,filler-${index}`);
    const content = [
      header,
      ',jane,paid,a@shop.example,',
      ',jane,paid,a@shop.example,',
      ',jane,churned,A@shop.example,a',
      ',jane,paid,,b',
      ',jane,churned,c@shop.example,b',
      `${id},jane,paid,d@shop.example,`,
      `${id},jane,paid,e@shop.example,`,
      ...filler,
      ',jane,paid,,filler-0',
      ',jane,paid,a@shop.example,c',
      ',jane,paid,f@shop.example,b',
      `${id},jane,paid,,d`,
    ].join('\n');
    const failed = [
      taken(4, 'email'),
      taken(6, 'uid'),
      taken(8, 'id'),
      taken(1210, 'email'),
      taken(1211, 'uid'),
      taken(1212, 'id'),
    ];
    expect(await imported(content)).toEqual({ created: 1203, skipped: 2, failed });
    const before = await allItems(table);
    expect(await imported(content)).toEqual({ created: 0, skipped: 1205, failed });
    expect(await allItems(table)).toEqual(before);
  });

  test('an id, email or uid that was not imported still belongs to its referral', async () => {
    const other = await anAdvocate(table, program);
    const known = await aReferral(table, program, other, { customerUid: 'known' });
    const click = await aClick(table, program, other);
    const before = await allItems(table);
    expect(
      await imported(`${header}
,jane,paid,${known.email},
,jane,paid,,known
${known.id},jane,paid,${known.email},
${known.id},${other.slug},paid,new@shop.example,
${known.id},${other.slug},paid,,known
${click.id},jane,clicked,,
${click.id},${other.slug},clicked,,`),
    ).toEqual({
      created: 0,
      skipped: 2,
      failed: [taken(2, 'email'), taken(3, 'uid'), taken(4, 'id'), taken(5, 'id'), taken(7, 'id')],
    });
    expect(await allItems(table)).toEqual(before);
  });

});
