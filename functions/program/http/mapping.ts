import type { CallingToken, ProgramCaller } from '../../kernel/accounts/rules/caller.ts';
import { type CommissionRules, parseRulesOrNull, shownRules } from '../../kernel/accounts/rules/commission-rules.ts';
import type { Member } from '../../kernel/accounts/rules/member.ts';
import { PROGRAM_FIELDS } from '../../kernel/accounts/rules/program-fields.ts';
import { assertOneForm } from '../../kernel/accounts/rules/terms.ts';
import { MAX_TOKEN_NAME, type TokenDraft, type TokenRecord } from '../../kernel/accounts/rules/token.ts';
import { attributesIn, namesIn, parseInputs } from '../../kernel/fields/field-list.ts';
import { parseText } from '../../kernel/fields/fields.ts';
import { requireScope, setsAny } from '../../kernel/http/authentication.ts';
import { validBody, validPatch } from '../../kernel/http/validation.ts';
import { type Seconds, seconds } from '../../kernel/time.ts';
import type { ProgramUpdate } from '../table/program-changes.ts';
import { API_FIELDS } from './schema.ts';
import { newTokenBody, programChangesBody } from './validators.js';

const PAYOUT_NAMES = namesIn(PROGRAM_FIELDS, 'payouts');
const OTHER_NAMES = ['id', 'commission_rules', ...namesIn(PROGRAM_FIELDS, 'api')].filter(
  (name) => !PAYOUT_NAMES.some((other) => other === name),
);

/**
 * Throws `MissingScope` unless the token may set these fields: the account that pays needs the scope `payouts`, all other
 * fields `admin`.
 */
export function checkProgramScopes(caller: ProgramCaller, json: unknown): void {
  const setsAccount = setsAny(PAYOUT_NAMES, json);
  if (setsAccount) requireScope(caller, 'payouts');
  if (!setsAccount || setsAny(OTHER_NAMES, json)) requireScope(caller, 'admin');
}

/** Parses the body that changes a program, and checks that its terms have one form. Throws `InvalidField`. */
export function parseProgramChanges(json: unknown): ProgramUpdate {
  const body = validPatch(json, programChangesBody, {
    id: 'cannot be changed: remove it',
    public_key: 'cannot be changed: remove it',
    mode: 'cannot be changed: create another program',
  });
  const changes = parseInputs(API_FIELDS, body);
  const { commission_rules: rules } = body;
  if (rules === undefined) return changes;
  const commissionRules = parseRulesOrNull(rules);
  assertOneForm(changes, commissionRules);
  return { ...changes, commissionRules };
}

/** Parses the body that creates a program token. Throws `InvalidField`. */
export function parseNewToken(json: unknown) {
  const { name, scopes, expires_in } = validBody(json, newTokenBody);
  return { name: name === undefined ? null : parseText('name', name, MAX_TOKEN_NAME), scopes, lifetime: expires_in };
}

/**
 * Drafts a token with scopes of the calling token: others throw `MissingScope`. Its end is free, because a token that
 * creates tokens could also create its own successor, again and again.
 */
export function draftToken(
  caller: ProgramCaller,
  { lifetime, ...token }: ReturnType<typeof parseNewToken>,
  now: Seconds,
): TokenDraft {
  for (const scope of token.scopes) requireScope(caller, scope);
  return { ...token, member: caller.member, expiresAt: lifetime === undefined ? null : seconds(now + lifetime) };
}

/** Builds the response with the program of the calling token, as far as the token's scopes show it. */
export function toProgramData({
  program,
  token,
  member,
  rules,
}: Pick<ProgramCaller, 'program' | 'token' | 'member'> & { readonly rules: CommissionRules | null }) {
  const seen = token.scopes.includes('payouts') ? program : { ...program, payoutName: null, payoutIban: null };
  const attributes = { ...attributesIn(PROGRAM_FIELDS, 'api', seen), commission_rules: rules && shownRules(rules) };
  return {
    data: { id: program.id, type: 'program', attributes },
    meta: { token: { id: token.id, ...common(token), expires_at: token.expiresAt, ...from(token, member) } },
  } as const;
}

/** How a token came to be. */
const from = ({ isSession }: CallingToken, member: Member | null) => ({
  signed_in: isSession,
  member: member && { id: member.id, name: member.name, email: member.email },
});

/** Builds the resource of a program token. */
export function toProgramToken(record: TokenRecord) {
  const { id, createdAt, expiresAt, memberId } = record;
  const attributes = { ...common(record), created_at: createdAt, expires_at: expiresAt, member_id: memberId };
  return { id, type: 'token', attributes } as const;
}

/** Builds the resource of a new program token with its secret. */
export function toNewProgramToken(record: TokenRecord, token: string) {
  const { attributes, ...resource } = toProgramToken(record);
  return { ...resource, attributes: { token, ...attributes } } as const;
}

const common = ({ name, scopes }: CallingToken) => ({ name, scopes });
