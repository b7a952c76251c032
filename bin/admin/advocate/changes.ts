import {
  type AdvocateChanges,
  type AdvocateFields,
  changeAdvocate,
  EMPTY_ADVOCATE,
  newAdvocate,
} from '../../../functions/domain/advocate.ts';
import { AdvocateNotFound, UidTaken } from '../../../functions/domain/errors.ts';
import { parseSlug } from '../../../functions/domain/fields.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { type AdminCommand, assertAnyOption, type CliContext, NEXT_LINE, orNull } from '../cli.ts';
import { advocateUnknown, requireProgram } from '../lookup.ts';
import { type Rendered, renderObject, withOutput } from '../output.ts';
import { type AdvocateOptions, advocateFieldsIn, fieldTaken, withAdvocate, withFields } from './fields.ts';

/** The fields to change that were given as options. `false`: the option with `--no-`, which clears the field. */
type FieldOptions = {
  readonly [Field in keyof Omit<AdvocateFields, 'slug'>]?: NonNullable<AdvocateFields[Field]> | false;
} & { readonly email?: string };

/** A valid advocate, with which changes are checked before the table is read. */
const ANY_ADVOCATE = newAdvocate({ ...EMPTY_ADVOCATE, email: 'any@any.example', slug: 'any' }, '', seconds(0));

/** Clicks use a cached advocate, but an inactive one is not cached (docs/contract.md, Values). */
const TAKES_EFFECT = 'The change takes effect for conversions at once, and for clicks within 30 seconds.';

/** Adds `advocate update`, `advocate deactivate` and `advocate activate`. */
export function addAdvocateChanges(advocate: AdminCommand, context: CliContext): void {
  addUpdate(advocate, context);
  for (const [verb, description, active, remark] of [
    ['deactivate', 'deactivate an advocate: new clicks and referrals are rejected', false, TAKES_EFFECT],
    ['activate', 'reactivate an advocate', true, 'The change takes effect at once.'],
  ] as const) {
    withAdvocate(advocate.command(verb).description(description))
      .examples([`advocate ${verb} --program ID --advocate jane-doe`], remark)
      .action(withOutput(context.output, (options: AdvocateOptions) => change(context, options, { active }, remark)));
  }
}

function addUpdate(advocate: AdminCommand, context: CliContext): void {
  withFields(
    withAdvocate(advocate.command('update').description('change an advocate; other fields stay as they are')).option(
      '--email <address>',
      "the advocate's email",
    ),
  )
    .option('--no-first-name', 'remove the first name')
    .option('--no-last-name', 'remove the last name')
    .option('--no-uid', "remove the merchant's own id")
    .option('--no-company-id', "remove the id of the advocate's company")
    .option('--no-company', "remove the name of the advocate's company")
    .option('--no-commission-percentage', "remove the own rate: the program's applies")
    .examples(
      [
        `advocate update --program ID --advocate jane-doe ${NEXT_LINE} --email jane@example.com --uid 4711`,
        `advocate update --program ID --advocate jane-doe ${NEXT_LINE} --no-commission-percentage --json`,
      ],
      `A rate applies to referrals that are created from then on.
${TAKES_EFFECT}
The slug cannot be changed, because links contain it.`,
    )
    .action(
      withOutput(context.output, ({ program, advocate, ...options }: AdvocateOptions & FieldOptions) => {
        const changes = changesOf(options);
        assertAnyOption(changes);
        changeAdvocate(ANY_ADVOCATE, changes);
        return change(context, { program, advocate }, changes, TAKES_EFFECT);
      }),
    );
}

/** The fields to change: those that were given as options. */
function changesOf({ email, firstName, lastName, uid, companyId, company, ...options }: FieldOptions): AdvocateChanges {
  const { commissionPercentage } = options;
  return {
    ...(email !== undefined && { email }),
    ...(firstName !== undefined && { firstName: orNull(firstName) }),
    ...(lastName !== undefined && { lastName: orNull(lastName) }),
    ...(uid !== undefined && { uid: orNull(uid) }),
    ...(companyId !== undefined && { companyId: orNull(companyId) }),
    ...(company !== undefined && { company: orNull(company) }),
    ...(commissionPercentage !== undefined && { commissionPercentage: orNull(commissionPercentage) }),
  };
}

/** Changes an advocate, and renders it with a remark. Throws `Failure` if it does not exist or if its new uid is taken. */
async function change(
  { onTable }: CliContext,
  options: AdvocateOptions,
  changes: AdvocateChanges,
  remark: string,
): Promise<Rendered> {
  const slug = parseSlug('advocate', options.advocate);
  return onTable(async (table) => {
    const program = await requireProgram(options.program, table);
    try {
      const changed = await updateAdvocate(table, program.id, slug, changes);
      return renderObject(advocateFieldsIn(program)(changed), {}, remark);
    } catch (error) {
      if (error instanceof AdvocateNotFound) throw advocateUnknown();
      if (error instanceof UidTaken) throw fieldTaken('uid');
      throw error;
    }
  });
}
