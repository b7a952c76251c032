import type { OwnChanges } from '../../advocates/rules/advocate-changes.ts';
import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../kernel/accounts/rules/advocate-fields.ts';
import type { AffiliateCaller, ProgramCaller } from '../../kernel/accounts/rules/caller.ts';
import { MEMBER_FIELDS, type Member } from '../../kernel/accounts/rules/member.ts';
import { withPayoutAccount } from '../../kernel/accounts/rules/payout-account.ts';
import type { TokenRecord } from '../../kernel/accounts/rules/token.ts';
import { addressHash } from '../../kernel/address.ts';
import { TokenRevoked } from '../../kernel/errors.ts';
import { attributesIn, parseInputs } from '../../kernel/fields/field-list.ts';
import { parseEmail } from '../../kernel/fields/fields.ts';
import { requireScope } from '../../kernel/http/authentication.ts';
import { validBody, validPatch } from '../../kernel/http/validation.ts';
import type { Seconds } from '../../kernel/time.ts';
import { toProgramToken } from '../../program/http/mapping.ts';
import type { Email } from '../rules/emails/email.ts';
import { EMAIL_KINDS, type EmailKind } from '../rules/emails/kinds.ts';
import { PEOPLE_FIELDS, type PeopleSettings } from '../rules/emails/settings.ts';
import { InvalidLink, SignInRequired, SignInTooOld } from '../rules/errors.ts';
import { type LinkCode, parseLinkCode } from '../rules/link-code.ts';
import type { MemberChanges, MemberDraft } from '../rules/members.ts';
import type { Editor } from '../table/members.ts';
import {
  affiliateChangesBody,
  codeBody,
  memberBody,
  memberChangesBody,
  peopleChangesBody,
  personBody,
  previewBody,
  sessionBody,
  signInBody,
} from './validators.js';

/** How long after a sign-in an advocate can change its payout account, in seconds. */
const FRESH = 900;

/** Parses a request for a link. Only the hash of the address leaves this function. Throws `InvalidField`. */
export function parseSignIn(json: unknown) {
  const { pk, email, page } = validBody(json, signInBody);
  return { publicKey: pk, request: { address: addressHash(parseEmail('email', email)), page } };
}

/** Parses a code, and whether to stay signed in. Throws `InvalidField` or `InvalidLink`. */
export function parseSession(json: unknown): { readonly code: LinkCode; readonly keep: boolean } {
  const { code, keep = false } = validBody(json, sessionBody);
  return { code: codeIn(code), keep };
}

/** Parses a code, which undoes a change or belongs to an application. Throws `InvalidField` or `InvalidLink`. */
export const parseCode = (json: unknown): LinkCode => codeIn(validBody(json, codeBody).code);

function codeIn(text: string): LinkCode {
  const code = parseLinkCode(text);
  if (!code) throw new InvalidLink();
  return code;
}

/**
 * Parses what an advocate changes of itself. Throws `SignInRequired` without a sign-in, `SignInTooOld` for a payout account
 * without a recent one, or `InvalidField`.
 */
export function parseOwnChanges(json: unknown, { token }: AffiliateCaller, now: Seconds): OwnChanges {
  if (!token.isSession) throw new SignInRequired();
  const { emails_off: emailsOff, ...body } = validPatch(json, affiliateChangesBody, {});
  const { firstName, lastName, payoutMethod, payoutAccount } = parseInputs(ADVOCATE_FIELDS, body);
  const changes = { firstName, lastName, payoutMethod, payoutAccount, emailsOff: emailsOff && [...new Set(emailsOff)] };
  const given: OwnChanges = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const hasAccount = payoutMethod !== undefined || payoutAccount !== undefined;
  if (hasAccount && now - token.createdAt >= FRESH) throw new SignInTooOld();
  return withPayoutAccount(given);
}

/** Parses a member. Throws `InvalidField`. */
export function parseMember(json: unknown): MemberDraft {
  const body = validBody(json, memberBody);
  const { name = null, scopes = [], email = '' } = parseInputs(MEMBER_FIELDS, body);
  return { email, name, scopes };
}

/** Parses a change of a member. Throws `InvalidField`. */
export function parseMemberChanges(json: unknown): MemberChanges {
  const body = validPatch(json, memberChangesBody, { email: 'cannot be changed: create another member' });
  const { name, scopes } = parseInputs(MEMBER_FIELDS, body);
  return { ...(name !== undefined && { name }), ...(scopes !== undefined && { scopes }) };
}

/**
 * Returns the editor of members that a caller is. Callers are remembered for a while, so its member is looked up among the
 * present ones. The guard throws `TokenRevoked`, or `MissingScope` for a scope that the caller lacks.
 */
export const editorOf = (caller: ProgramCaller): Editor => ({
  tokenHash: caller.tokenHash,
  guard: (members, needed) => {
    const member = caller.member && members.find(({ id }) => id === caller.member?.id);
    const { isSession, scopes: own } = caller.token;
    if (caller.member && !member) throw new TokenRevoked();
    if (isSession && member?.sessionsEndedAt !== caller.member?.sessionsEndedAt) throw new TokenRevoked();
    const scopes = own.filter((scope) => !member || member.scopes.includes(scope));
    for (const scope of ['admin', ...needed] as const)
      requireScope({ ...caller, token: { ...caller.token, scopes } }, scope);
  },
});

/** Throws `TokenRevoked` if the session of an advocate has ended, although its caller is still remembered. */
export function assertInSession({ advocate }: AffiliateCaller, { tokensRevokedAt, emailVersion }: Advocate): void {
  const isSame = advocate.tokensRevokedAt === tokensRevokedAt && advocate.emailVersion === emailVersion;
  if (!isSame) throw new TokenRevoked();
}

/** Parses a change of the settings of emails, in which `null` removes all paragraphs. Throws `InvalidField`. */
export function parsePeopleChanges(json: unknown): Partial<PeopleSettings> {
  const { email_texts: texts, ...body } = validPatch(json, peopleChangesBody, {});
  const all = texts === null ? Object.fromEntries(EMAIL_KINDS.map((kind) => [kind, null])) : texts;
  return parseInputs(PEOPLE_FIELDS, { ...body, email_texts: all });
}

export const parsePreview = (json: unknown): EmailKind => validBody(json, previewBody).kind;

/** Parses the address to forget, to its hash. Throws `InvalidField`. */
export const parsePerson = (json: unknown): string =>
  addressHash(parseEmail('email', validBody(json, personBody).email));

/** Builds the resource of a session. */
export function toSession(token: string, { id, expiresAt }: TokenRecord) {
  return { id, type: 'session', attributes: { token, expires_at: expiresAt } } as const;
}

/** Builds the resource of a member. */
export function toMember(member: Member) {
  return { id: member.id, type: 'member', attributes: attributesIn(MEMBER_FIELDS, 'api', member) } as const;
}

/** Builds the response to the removal of a member, with the tokens that ended with it. */
export function toRemovedMember(member: Member, tokens: readonly TokenRecord[]) {
  return { data: toMember(member), meta: { tokens: tokens.map(toProgramToken) } } as const;
}

/** Builds the resource of the settings of emails. */
export function toPeopleSettings(id: string, settings: PeopleSettings) {
  return { id, type: 'people', attributes: attributesIn(PEOPLE_FIELDS, 'api', settings) } as const;
}

/** Builds the resource of the preview of an email. */
export function toEmailPreview(kind: EmailKind, { subject, text, html }: Email) {
  return { id: kind, type: 'email', attributes: { subject, text, html } } as const;
}
