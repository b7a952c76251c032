import { type CommissionRules, shownRules } from '../../../functions/kernel/accounts/rules/commission-rules.ts';
import { GROUP_FIELDS, parseGroupName } from '../../../functions/kernel/accounts/rules/group.ts';
import { rulesSentence } from '../../../functions/kernel/accounts/rules/rules-sentence.ts';
import { findRules, rulesOf } from '../../../functions/kernel/accounts/table/commission-rules.ts';
import { readGroups } from '../../../functions/kernel/accounts/table/groups.ts';
import { RulesNotFound } from '../../../functions/kernel/errors.ts';
import { emptyValues, parseInputs } from '../../../functions/kernel/fields/field-list.ts';
import { inUnits } from '../../../functions/ledger/rules/units.ts';
import { toGroup, toGroupRequest } from '../../../functions/terms/http/mapping.ts';
import { putGroup } from '../../../functions/terms/table/put-group.ts';
import { type AdminCommand, NEXT_LINE } from '../cli.ts';
import * as option from '../options.ts';
import { renderList, renderObject } from '../output.ts';

type GroupOptions = {
  readonly group: string;
  readonly title?: string;
  readonly commissionPercentage?: number;
  readonly commissionMonths?: number;
  readonly commissionRules?: unknown;
};

export const RULES_OPTION = [
  '--commission-rules <json>',
  `rules instead of a percentage, such as '[{"amounts":{"eur":2000},"payments":1},{"percentage":10}]'`,
  option.jsonOrText,
] as const;

const COLUMNS = ['name', 'title', 'commission_percentage', 'commission_months', 'commission_rules'] as const;
const NO_GROUPS = 'The program has no groups yet. Run `group set` to create one.';
const TAKES_EFFECT = 'The change takes effect within 30 seconds, for clicks and referrals from then on.';

/** Says what rules pay, for a terminal. */
export const sentenceOf = (rules: CommissionRules): string =>
  rulesSentence(rules, {
    percentage: (value) => `${value}%`,
    money: (amount, currency) => `${inUnits(amount, currency)} ${currency}`,
  });

export function addGroupCommands(admin: AdminCommand): void {
  const group = admin.command('group').description('groups of advocates with terms of their own');

  group
    .programCommand('set', 'create or replace a group; without terms, the terms of the program apply')
    .requiredOption('--group <name>', 'name of the group: letters, digits, hyphens and underscores', (text) =>
      parseGroupName('group', text),
    )
    .option('--title <title>', 'what people call the group')
    .option('--commission-percentage <percent>', 'commission rate in percent, 0 to 100', option.decimal)
    .option('--commission-months <months>', 'months of commission per referral', option.decimal)
    .option(...RULES_OPTION)
    .examples(
      [
        `group set --program ID --group partners ${NEXT_LINE} --commission-percentage 30 --commission-months 12`,
        `group set --program ID --group creators ${NEXT_LINE} --commission-rules '[{"amounts":{"eur":2000},"payments":1},{"percentage":10}]' --json`,
      ],
      `${TAKES_EFFECT}
\`advocate update --group\` puts an advocate into a group.`,
    )
    .onProgram(({ group: name, commissionRules, ...options }: GroupOptions) => {
      const { title, commissionPercentage, commissionMonths } = options;
      const given = { title, commission_percentage: commissionPercentage, commission_months: commissionMonths };
      const fields = { ...emptyValues(GROUP_FIELDS, 'input'), ...parseInputs(GROUP_FIELDS, given) };
      const request = toGroupRequest(name, fields, commissionRules);
      return async ({ program, table }) => {
        const { commissionRules: rules } = request;
        const stored = rowOf(await putGroup(table, program.id, request), rules);
        return { json: stored, text: renderObject(shown(stored, rules), {}, TAKES_EFFECT).text };
      };
    });

  group.programCommand('list', 'list the groups of a program, by name').onProgram(() => async ({ program, table }) => {
    const { groups } = await readGroups(table, program.id);
    const rules = await Promise.all(groups.map((each) => rulesOf(table, program.id, each)));
    const rows = groups.map((each, index) => rowOf(each, rules[index] ?? null));
    const texts = rows.map((row, index) => shown(row, rules[index] ?? null));
    return { json: rows, text: renderList(texts, COLUMNS, NO_GROUPS).text };
  });

  group
    .programCommand('rules', 'show commission rules by the id that referrals and entries contain')
    .requiredOption('--id <id>', 'id of the rules')
    .onProgram(({ id }: { readonly id: string }) => async ({ program, table }) => {
      const rules = await findRules(table, program.id, id);
      if (!rules) throw new RulesNotFound();
      return { json: { id, rules: shownRules(rules) }, text: renderObject({ id, rules: sentenceOf(rules) }).text };
    });
}

const rowOf = (...parts: Parameters<typeof toGroup>) => {
  const { id, attributes } = toGroup(...parts);
  return { name: id, ...attributes };
};

const shown = ({ commission_rules: _, ...group }: ReturnType<typeof rowOf>, rules: CommissionRules | null) => ({
  ...group,
  commission_rules: rules && sentenceOf(rules),
});
