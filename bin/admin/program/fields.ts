import { Option } from 'commander';
import { parseRulesOrNull } from '../../../functions/kernel/accounts/rules/commission-rules.ts';
import {
  ASSISTANT_EMAIL_VIEWS,
  CODE_PRIORITIES,
  EMAIL_VIEWS,
  PROGRAM_FIELDS,
  SLUG_RULES,
} from '../../../functions/kernel/accounts/rules/program-fields.ts';
import { type Amounts, NO_AMOUNTS } from '../../../functions/kernel/fields/amounts.ts';
import type { ProgramUpdate } from '../../../functions/program/table/program-changes.ts';
import type { AdminCommand } from '../cli.ts';
import * as option from '../options.ts';
import { RULES_OPTION } from '../terms/groups.ts';

const NAME = ['--name <name>', 'name of the program'] as const;
const AFFILIATES_SEE = 'how affiliates see the emails of their customers: full, masked (v***@example.com) or none';
const ASSISTANTS_SEE = 'how assistants see emails, at POST /mcp: masked (v***@example.com) or full';
const RATE = 'commission rate in percent, 0 to 100';
const MONTHS = 'months of commission per referral';
const PAYABLE = 'days after a payment until its commission is payable';
const ATTRIBUTION = 'days after which an unconverted click is deleted';
const PRIORITY = 'who is credited if the link and the promotion code of a conversion belong to different advocates';
const SLUGS = 'whether slugs are derived from the names of advocates or are random';
const MINIMUM = 'what you pay at least, in the smallest unit, such as eur=5000; can be repeated';
const SITE_URL = ['--site-url <url>', "the merchant's site, the target of all referral links"] as const;

/** What the options of `withFields` set. */
export interface FieldOptions
  extends Omit<ProgramUpdate, 'allowedOrigins' | 'onRefund' | 'commissionRules' | 'minimumPayout'> {
  readonly commissionRules?: unknown;
  /** `null` if `--no-minimum-payout` was given. */
  readonly minimumPayout?: Amounts | null;
  readonly allowedOrigin?: readonly string[];
  /** `null` if `--no-allowed-origins` was given. */
  readonly allowedOrigins?: true | null;
}

/** Reads amounts such as `eur=5000`, and checks each. */
const collectAmount = (value: string, previous: Amounts = NO_AMOUNTS): Amounts => {
  const [currency = '', ...amount] = value.split('=');
  const checked = PROGRAM_FIELDS.minimumPayout.input.parse('minimum_payout', {
    [currency]: option.decimal(amount.join('=')),
  });
  return { ...previous, ...checked };
};

/** Checks each origin, so that an error names the option. */
const collectOrigin = (value: string, previous: readonly string[] = []) => [
  ...previous,
  ...PROGRAM_FIELDS.allowedOrigins.input.parse('allowed_origin', [value]),
];

/** Adds the options for the fields of a program. `create` requires some of them. */
export function withFields(command: AdminCommand): AdminCommand {
  const isNew = command.name() === 'create';
  const byDefault = (value: string) => (isNew ? ` (default: ${value})` : '');
  for (const [flags, description] of [NAME, SITE_URL]) {
    command.addOption(new Option(flags, description).makeOptionMandatory(isNew));
  }
  return command
    .option('--commission-percentage <percent>', isNew ? `${RATE} (required without a terminal)` : RATE, option.decimal)
    .option('--commission-months <months>', `${MONTHS}${byDefault('no limit')}`, option.decimal)
    .option(...RULES_OPTION)
    .addOption(new Option('--code-priority <what>', `${PRIORITY}${byDefault('link')}`).choices(CODE_PRIORITIES))
    .option('--payable-after-days <days>', `${PAYABLE}${byDefault('0')}`, option.decimal)
    .option('--attribution-days <days>', `${ATTRIBUTION}${byDefault('90')}`, option.decimal)
    .addOption(new Option('--affiliates-see-email <how>', `${AFFILIATES_SEE}${byDefault('full')}`).choices(EMAIL_VIEWS))
    .addOption(
      new Option('--assistants-see-email <how>', `${ASSISTANTS_SEE}${byDefault('masked')}`).choices(
        ASSISTANT_EMAIL_VIEWS,
      ),
    )
    .addOption(new Option('--slugs <rule>', `${SLUGS}${byDefault('names')}`).choices(SLUG_RULES))
    .option('--link-parameter <name>', `query parameter of referral links${byDefault('via')}`)
    .option('--minimum-payout <currency=amount>', MINIMUM, collectAmount)
    .option('--payout-day <day>', 'day of the month on which you pay, 1 to 28', option.decimal)
    .option('--accent <color>', 'color of the pages, such as #0b6e4f')
    .option('--allowed-origin <origin>', 'origin whose pages may send conversions; can be repeated', collectOrigin);
}

/** Returns the fields of a program that the options set. */
export function fieldsOf({
  allowedOrigin,
  allowedOrigins,
  commissionRules,
  minimumPayout,
  ...fields
}: FieldOptions): ProgramUpdate {
  const origins = allowedOrigins === null ? [] : allowedOrigin;
  return {
    ...fields,
    ...(origins && { allowedOrigins: origins }),
    ...(minimumPayout !== undefined && { minimumPayout: minimumPayout ?? NO_AMOUNTS }),
    ...(commissionRules !== undefined && {
      commissionRules: parseRulesOrNull(commissionRules),
    }),
  };
}
