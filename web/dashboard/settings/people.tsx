import { useState } from 'preact/hooks';
import type { ResponseBody } from '../../kit/api.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { type Column, number, text } from '../../kit/columns.ts';
import { formatDate } from '../../kit/format.ts';
import { useLoaded } from '../../kit/loaded.ts';
import { Menu } from '../../kit/menu.tsx';
import { Table } from '../../kit/table.tsx';
import { tell } from '../../kit/toast.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/dashboard/settings-people.ts';
import { Confirm } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { type Field, textIn, textOrNull } from './fields.ts';
import { SettingsDialog } from './form.tsx';
import { scopesField, scopesIn, scopesText } from './scopes.ts';

type Member = ResponseBody<'/v2/members', 'get'>['data'][number];

const EMAIL: Field = {
  name: 'email',
  label: WORDS.email,
  inputMode: 'email',
  isRequired: true,
};
const NAME: Field = { name: 'name', label: WORDS.name, parse: textOrNull };

const nameOf = ({ attributes: { name, email } }: Member) => name ?? email;

/** The dialog that is open: about a member, or an invitation. */
type Open = { readonly kind: 'edit'; readonly member?: Member } | { readonly kind: 'remove'; readonly member: Member };

/** The merchant's colleagues, who sign in by email. */
export function Members() {
  const [open, setOpen] = useState<Open>();
  const [list, reload] = useLoaded(async (signal) => (await api.send('get', '/v2/members', { signal })).body.data, []);
  const { token } = useDashboard();
  const own = token?.member?.id;
  const done = (sentence: string) => {
    setOpen(undefined);
    reload();
    tell(sentence);
  };
  const columns: readonly Column<Member>[] = [
    text(
      WORDS.member,
      (member) => (
        <>
          <bdi>{nameOf(member)}</bdi> {member.id === own && <span class="badge">{WORDS.you}</span>}
          {member.attributes.name !== null && <bdi class="person-line">{member.attributes.email}</bdi>}
        </>
      ),
      'name',
    ),
    text(WORDS.scopes, ({ attributes }) => scopesText(attributes.scopes), 'below'),
    text(WORDS.lastSignedIn, ({ attributes: { last_signed_in_at: at } }) =>
      at === null ? WORDS.never : formatDate(at),
    ),
    number(
      COMMON.actions,
      (member) => (
        <Menu
          label="⋯"
          name={WORDS.actionsFor(nameOf(member))}
          items={[
            { label: WORDS.changeScopes, onSelect: () => setOpen({ kind: 'edit', member }) },
            { label: WORDS.removeMember, isDanger: true, onSelect: () => setOpen({ kind: 'remove', member }) },
          ]}
        />
      ),
      'key',
    ),
  ];
  return (
    <Card
      title={WORDS.members}
      beside={<Button label={WORDS.inviteMember} kind="primary" onClick={() => setOpen({ kind: 'edit' })} />}
    >
      <WhenReady loaded={list} skeleton={<Skeleton lines={3} height={2.5} />}>
        {(members) => <Table name={WORDS.members} columns={columns} rows={members} keyOf={({ id }) => id} />}
      </WhenReady>
      {open && <MemberDialog open={open} onClose={() => setOpen(undefined)} onDone={done} />}
    </Card>
  );
}

interface MemberDialogProps {
  readonly open: Open;
  readonly onClose: () => void;
  readonly onDone: (sentence: string) => void;
}

function MemberDialog({ open, onClose, onDone }: MemberDialogProps) {
  const { can } = useDashboard();
  const { member } = open;
  const [id, name] = [member?.id ?? '', member ? nameOf(member) : ''];
  if (open.kind === 'remove') {
    return (
      <Confirm
        title={WORDS.removeMember}
        onClose={onClose}
        onConfirm={async () => {
          const { meta } = (await api.send('delete', '/v2/members/{id}', { params: { id } })).body;
          const tokens = meta.tokens.map(({ attributes }) => attributes.name ?? WORDS.withoutName);
          onDone(tokens.length > 0 ? WORDS.removedTokens(name, tokens.join(', ')) : WORDS.removed(name));
        }}
      >
        <p>
          <bdi>{WORDS.removeAdvice(name)}</bdi>
        </p>
      </Confirm>
    );
  }
  const { attributes } = member ?? {};
  return (
    <SettingsDialog
      title={member ? WORDS.changeScopes : WORDS.inviteMember}
      onClose={onClose}
      fields={[...(member ? [] : [EMAIL]), NAME, scopesField(can)]}
      draft={{ name: attributes?.name ?? '', scopes: attributes?.scopes.join(' ') ?? 'read' }}
      onSave={async (body, draft) => {
        if (member) {
          await api.send('patch', '/v2/members/{id}', { params: { id }, body });
          onDone(WORDS.scopesChanged(name));
        } else {
          const [email, given] = [textIn(draft, 'email').trim(), textIn(draft, 'name').trim()];
          const invited = { email, scopes: scopesIn(draft), ...(given !== '' && { name: given }) };
          await api.send('post', '/v2/members', { body: invited, isRepeatable: true });
          onDone(WORDS.invited(email));
        }
        return undefined;
      }}
    />
  );
}
