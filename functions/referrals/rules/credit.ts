import type { AttributionTarget } from '../../kernel/accounts/rules/advocate.ts';
import type { PromotionCode } from '../../kernel/accounts/rules/code.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import type { Credit } from './referral.ts';
import type { CreditedBy } from './referral-fields.ts';

/** A reference of a conversion to an advocate. */
export interface Reference {
  readonly by: CreditedBy;
  /** The promotion code, if it is the reference. */
  readonly code: string | null;
  /** `undefined` if nobody has the slug or the code. */
  readonly target: AttributionTarget | undefined;
}

/** A promotion code as a reference. An inactive code is as an unknown one. */
export function codeReference(code: PromotionCode | undefined, target: AttributionTarget | undefined): Reference {
  return { by: 'code', code: code?.code ?? null, target: code?.active ? target : undefined };
}

/** The order in which a link and codes are tried, as the program chose it. */
export function inOrder(
  { codePriority }: Pick<Program, 'codePriority'>,
  link: readonly Reference[],
  codes: readonly Reference[],
): readonly Reference[] {
  switch (codePriority) {
    case 'link':
      return [...link, ...codes];
    case 'code':
      return [...codes, ...link];
  }
}

/** Returns the first active advocate, and what a conversion is credited by; `undefined` if no reference leads to one. */
export function creditFirst(
  references: readonly Reference[],
): { readonly target: AttributionTarget; readonly credit: Credit } | undefined {
  const active = references.flatMap(({ target, ...reference }) => (target?.active ? [{ ...reference, target }] : []));
  const [first, ...others] = active;
  if (!first) return undefined;
  const { target, by, code } = first;
  const lost = others.find((other) => other.target.slug !== target.slug)?.target.slug ?? null;
  return { target, credit: { by, code, lost } };
}
