import { describe, expect, test } from '@jest/globals';
import { type MappingOptions, parseMapping } from '../../../bin/admin/import/mapping.ts';

const KIND = {
  columns: ['email', 'slug'],
  required: [],
  stateColumn: 'state',
  states: ['paid', 'churned'],
  presetOf: () => ({ columns: { email: ['mail'] }, states: { paid: ['active'], churned: ['gone'] } }),
} as const;
const parse = (options: MappingOptions) => parseMapping(options, KIND);

test('the last = separates the names, which are trimmed and may have any case', () => {
  const { renamed, translations } = parse({
    map: ['E-Mail = EMAIL', 'a=b=slug'],
    mapState: ['x=y= Paid', 'OLD=churned'],
  });
  expect(renamed).toEqual([
    { from: 'e-mail', to: 'email' },
    { from: 'a=b', to: 'slug' },
  ]);
  expect([...translations]).toEqual([
    ['x=y', 'paid'],
    ['old', 'churned'],
  ]);
});

test('--map without a target drops a column', () => {
  expect(parse({ map: ['Order No = ', 'a=b='] }).renamed).toEqual([
    { from: 'order no', to: null },
    { from: 'a=b', to: null },
  ]);
});

test('--from selects a preset, and --map-state changes its states', () => {
  const { preset, translations } = parse({ from: 'rewardful', mapState: ['gone=paid', 'new=churned'] });
  expect(preset).toEqual(KIND.presetOf());
  expect(Object.fromEntries(translations)).toEqual({ active: 'paid', gone: 'paid', new: 'churned' });
});

describe('invalid arguments', () => {
  const form = 'must have the form THEIRS=OURS. Run with --help to see an example.';
  test.each<[string, MappingOptions, string]>([
    ['no =', { map: ['email'] }, `--map ${form}`],
    ['no name', { map: ['=email'] }, `--map ${form}`],
    ['a name of spaces', { map: [' =email'] }, `--map ${form}`],
    ['neither name nor target', { map: ['='] }, `--map ${form}`],
    ['nothing', { map: [''] }, `--map ${form}`],
    ['an unknown target', { map: ['mail=secret'] }, '--map must end with = and one of email, slug.'],
    ['an empty state', { mapState: ['=paid'] }, `--map-state ${form}`],
    ['a state without a target', { mapState: ['x='] }, '--map-state must end with = and one of paid, churned.'],
    ['an unknown state', { mapState: ['x=secret'] }, '--map-state must end with = and one of paid, churned.'],
    [
      'a state twice',
      { mapState: ['x=paid', 'X=churned'] },
      '--map-state names a state of the file twice. Give each state once.',
    ],
  ])('the invalid arguments are reported: %s', (_, options, message) => {
    expect(() => parse(options)).toThrow(expect.objectContaining({ status: 2, message }));
  });

  test('the same state may be given twice with the same target', () => {
    expect([...parse({ mapState: ['x=paid', 'x=paid'] }).translations]).toEqual([['x', 'paid']]);
  });
});
