import { describe, expect, test } from '@jest/globals';
import { findProgram } from '../../../functions/table/programs.ts';
import { SEE_HELP } from '../../support/admin.ts';
import { adminHere, adminWith, jsonHere } from '../../support/admin-here.ts';
import { aProgram, newId } from '../../support/program.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const update = (id: string, ...options: string[]) => ['program', 'update', '--program', id, ...options];
const UNKNOWN = 'No program has the id in --program. Run `program list` to see all programs.\n';

describe('program create', () => {
  const create = ['program', 'create', '--name', 'Shop', '--site-url', 'https://shop.example', '--json'];

  test('a terminal is asked for the rate, of which 0 is one', async () => {
    for (const [answer, rate] of [
      ['12.5', 12.5],
      ['0', 0],
    ]) {
      const { status, stdout, stderr } = await adminWith({ table, input: [`${answer}\n`], isTTY: true }, ...create);
      expect([status, JSON.parse(stdout), stderr]).toEqual([
        0,
        expect.objectContaining({ commission_percentage: rate }),
        'Commission rate in percent, such as 20, or 0 if advocates earn nothing by default: ',
      ]);
    }
  });

  test('a program is not created without a rate', async () => {
    await expectUnchanged(table, async () => {
      expect(await adminWith({ table, input: ['20\n'] }, ...create)).toEqual({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(/^--commission-percentage is required without a terminal\. .*20, or 0 if/),
      });
      for (const answer of ['\n', 'none\n', '101\n']) {
        const { status, stderr } = await adminWith({ table, input: [answer], isTTY: true }, ...create);
        expect([status, stderr]).toEqual([2, expect.stringContaining('--commission-percentage must be')]);
      }
    });
  });
});

describe('program show', () => {
  test('program show prints what create and list print', async () => {
    const fields = ['--name', 'Shop', '--site-url', 'https://shop.example', '--commission-percentage', '0'];
    const created = await jsonHere(table, 'program', 'create', ...fields, '--allowed-origin', 'https://a.example');
    const { id } = created as { id: string };
    expect(await jsonHere(table, 'program', 'show', '--program', id.toUpperCase())).toEqual(created);
    expect(await jsonHere(table, 'program', 'list')).toContainEqual(created);
    const { stdout } = await adminHere(table, 'program', 'show', '--program', id);
    expect(stdout).toMatch(
      /│ name +│ Shop +│\n│ site url +│ https:\/\/shop\.example\/ +│\n│ public key +│ pk_[0-9a-f]{32} +│/,
    );
  });

  test('program show reports an unknown program', async () => {
    expect(await adminHere(table, 'program', 'show', '--program', newId())).toMatchObject({
      status: 1,
      stderr: UNKNOWN,
    });
  });
});

describe('program update', () => {
  test('program update changes every field, and prints the program', async () => {
    const { id, publicKey, createdAt } = await aProgram(table);
    const options = `--name Other --site-url https://other.example --commission-percentage 12.5 --commission-months 6
      --attribution-days 30 --link-parameter ref --allowed-origin https://b.example --allowed-origin https://c.example`;
    const updated = await jsonHere(table, ...update(id, ...options.split(/\s+/)));
    expect(updated).toEqual({
      id,
      name: 'Other',
      public_key: publicKey,
      site_url: 'https://other.example/',
      link_parameter: 'ref',
      commission_percentage: 12.5,
      commission_months: 6,
      attribution_days: 30,
      allowed_origins: ['https://b.example', 'https://c.example'],
      payable_after_days: 0,
      affiliates_see_email: 'full',
      slugs: 'names',
      mode: 'live',
      on_refund: 'ignore',
      created_at: createdAt,
    });
    expect(await jsonHere(table, 'program', 'show', '--program', id)).toEqual(updated);
  });

  test('program update changes only what is given, and clears what has --no-', async () => {
    const program = await aProgram(table, { allowedOrigins: ['https://a.example'] });
    const { id } = program;
    const origins = ['--allowed-origin', 'https://b.example'];
    const steps: [string[], object][] = [
      [['--name', 'Other'], { name: 'Other' }],
      [['--no-commission-percentage'], { commissionPercentage: null }],
      [['--commission-percentage', '0'], { commissionPercentage: 0 }],
      [['--no-commission-months'], { commissionMonths: null }],
      [origins, { allowedOrigins: ['https://b.example'] }],
      [['--no-allowed-origins'], { allowedOrigins: [] }],
    ];
    let expected = program;
    for (const [options, change] of steps) {
      await jsonHere(table, ...update(id, ...options));
      expected = { ...expected, ...change };
      expect(await findProgram(table, id)).toEqual(expected);
    }
    const { stdout } = await adminHere(table, ...update(id, '--name', 'Other'));
    expect(stdout).toMatch(/│ allowed origins +│ – +│\n(.*\n)+The change takes effect within 30 seconds\.\n$/);
  });

  test('no option, an invalid one, or two contradictory ones are reported as invalid arguments', async () => {
    const { id } = await aProgram(table);
    const none = 'Give at least one option with a new value. Run with --help to see the options.\n';
    const both = `error: option '--no-allowed-origins' cannot be used with option '--allowed-origin <origin>'\n${SEE_HELP}`;
    await expectUnchanged(table, async () => {
      for (const [options, stderr] of [
        [[], none],
        [['--name', ''], '--name must be 1 to 200 characters long.\n'],
        [['--commission-months', '0'], '--commission-months must be a whole number from 1 to 1200.\n'],
        [['--no-allowed-origins', '--allowed-origin', 'https://a.example'], both],
        [['--nmae', 'Other'], `error: unknown option '--nmae'\n(Did you mean --name?)\n${SEE_HELP}`],
      ] as const) {
        expect(await adminHere(table, ...update(id, ...options))).toEqual({ status: 2, stdout: '', stderr });
        // Wrong usage is reported before the program is looked up.
        expect(await adminHere(table, ...update(newId(), ...options))).toEqual({ status: 2, stdout: '', stderr });
      }
      expect(await adminHere(table, ...update(newId(), '--name', 'N'))).toEqual({
        status: 1,
        stdout: '',
        stderr: UNKNOWN,
      });
    });
  });
});
