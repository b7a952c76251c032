import { MEMBER_FIELDS, type Member } from '../../functions/kernel/accounts/rules/member.ts';
import { SCOPES, type Scope } from '../../functions/kernel/accounts/rules/token.ts';
import { readMembers } from '../../functions/kernel/accounts/table/members.ts';
import { InvalidField } from '../../functions/kernel/errors.ts';
import { attributesIn } from '../../functions/kernel/fields/field-list.ts';
import { parseEmail } from '../../functions/kernel/fields/fields.ts';
import { oneOf } from '../../functions/kernel/fields/parsers.ts';
import type { MemberChanges, MemberDraft } from '../../functions/people/rules/members.ts';
import { createMember, removeMember, updateMember } from '../../functions/people/table/members.ts';
import { listProgramTokens } from '../../functions/program/table/program-changes.ts';
import { type AdminCommand, NEXT_LINE } from './cli.ts';
import * as option from './options.ts';
import { renderList, renderObject } from './output.ts';
import { TOKEN_COLUMNS, tokenFields } from './token.ts';

type IdOptions = { readonly id: string };

/** How a new member signs in. */
export const HOW_TO_SIGN_IN =
  'With emails=on, the member gets an email that says how to sign in. Locally, see the page /outbox.';

const COLUMNS = ['id', 'email', 'name', 'scopes', 'created_at', 'last_signed_in_at'] as const;
const NO_MEMBERS = 'The program has no members yet. Run `member create` to create one.';
const SCOPE_LIST = `what the member may do, separated by commas: ${SCOPES.join(', ')}`;
const NAME = [
  '--name <name>',
  'name of the member',
  (text: string) => MEMBER_FIELDS.name.input.parse('name', text),
] as const;
const ID = [
  '--id <member-id>',
  'id of the member, as shown by `member list`',
  (text: string) => text.toLowerCase(),
] as const;

export function addMemberCommands(admin: AdminCommand): void {
  const member = admin.command('member').description("members: the merchant's colleagues, who sign in with an email");

  member
    .programCommand('create', 'create a member, who signs in on the dashboard')
    .requiredOption('--email <address>', 'address that gets the links to sign in; it never changes', (text) =>
      parseEmail('email', text),
    )
    .option(...NAME)
    .requiredOption('--scopes <list>', SCOPE_LIST, scopesIn)
    .examples(
      [
        'member create --program ID --email sam@example.com --scopes read,payouts',
        `member create --program ID --email sam@example.com ${NEXT_LINE} --name "Sam Field" --scopes read,advocates,admin --json`,
      ],
      HOW_TO_SIGN_IN,
    )
    .onProgram(({ email, name = null, scopes }: Omit<MemberDraft, 'name'> & Partial<MemberDraft>) => {
      return async ({ program, table }) => {
        const created = await createMember(table, program.id, { email, name, scopes });
        return renderObject(memberFields(created.member), {}, HOW_TO_SIGN_IN);
      };
    });

  member
    .programCommand('list', 'list the members of a program, oldest first')
    .onProgram(() => async ({ program, table }) => {
      const { members } = await readMembers(table, program.id);
      return renderList(members.map(memberFields), COLUMNS, NO_MEMBERS);
    });

  member
    .programCommand('update', 'change the name or the scopes of a member')
    .requiredOption(...ID)
    .option(...NAME)
    .option('--no-name', 'no name')
    .option('--scopes <list>', SCOPE_LIST, scopesIn)
    .examples(
      [
        'member update --program ID --id MEMBER_ID --scopes read,advocates',
        'member update --program ID --id MEMBER_ID --no-name --json',
      ],
      "A change of scopes ends the member's sessions within 30 seconds. One member keeps the scope admin.",
    )
    .onProgram(({ program: _, id, ...changes }: IdOptions & MemberChanges & { readonly program: string }) => {
      option.assertAny(changes);
      return async ({ program, table }) =>
        renderObject(memberFields(await updateMember(table, program.id, id, { changes })));
    });

  member
    .programCommand('remove', 'remove a member; its sessions and tokens end within 30 seconds')
    .requiredOption(...ID)
    .remarks('It prints the tokens that end: the member created them. One member keeps the scope admin.')
    .onProgram(({ id }: IdOptions) => async ({ program, table }) => {
      const removed = memberFields(await removeMember(table, program.id, id));
      const tokens = (await listProgramTokens(table, program.id)).filter(({ memberId }) => memberId === id);
      const rows = tokens.map(tokenFields);
      const head = rows.length > 0 ? 'Tokens that ended:\n' : '';
      const ended = renderList(rows, TOKEN_COLUMNS, 'No token ended with the member.');
      return {
        json: { ...removed, tokens: rows },
        text: (width) => `${renderObject(removed).text(width)}\n${head}${ended.text(width)}`,
      };
    });
}

function scopesIn(text: string): readonly Scope[] {
  const scopes = text.split(',').map(oneOf(SCOPES));
  if (scopes.includes(undefined))
    throw new InvalidField('scopes', `must be some of ${SCOPES.join(', ')}, without spaces`);
  return MEMBER_FIELDS.scopes.input.parse('scopes', scopes);
}

const memberFields = (member: Member) => ({ id: member.id, ...attributesIn(MEMBER_FIELDS, 'api', member) });
