import { useState } from 'preact/hooks';
import type { ResponseBody } from '../../kit/api.ts';
import { Button, Card, Dialog } from '../../kit/controls.tsx';
import { formatDate } from '../../kit/format.ts';
import { Menu } from '../../kit/menu.tsx';
import { Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/dashboard/settings-people.ts';
import { Confirm } from '../form-dialog.tsx';
import { type Scope, useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { type Field, fault, plainText, textIn, textOrNull, typed } from './fields.ts';
import { SettingsForm } from './form.tsx';

type Member = ResponseBody<'/v2/members', 'get'>['data'][number];

const SCOPES = ['read', 'track', 'advocates', 'payouts', 'admin'] as const;

const scopesIn = (text: string): Scope[] => SCOPES.filter((scope) => text.split(' ').includes(scope));

const EMAIL: Field = {
  kind: 'text',
  name: 'email',
  label: WORDS.email,
  inputMode: 'email',
  isRequired: true,
  parse: plainText,
};
const NAME: Field = { kind: 'text', name: 'name', label: WORDS.name, parse: textOrNull };

/** The rights to choose from: nobody gives a right that they lack. */
const scopesField = (can: (scope: Scope) => boolean): Field => ({
  kind: 'checks',
  name: 'scopes',
  label: WORDS.may,
  options: SCOPES.filter(can).map((scope) => [scope, WORDS.SCOPES[scope][1]] as const),
  parse: (text) => {
    if (text === '') throw fault('scopes', WORDS.noScope);
    return scopesIn(text);
  },
});

const nameOf = ({ attributes: { name, email } }: Member) => name ?? email;

function scopesText({ attributes: { scopes } }: Member): string {
  if (SCOPES.every((scope) => scopes.includes(scope))) return WORDS.everything;
  return SCOPES.filter((scope) => scopes.includes(scope))
    .map((scope) => WORDS.SCOPES[scope][0])
    .join(', ');
}

type Open = { readonly kind: 'invite' } | { readonly kind: 'change' | 'remove'; readonly member: Member };

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
    {
      id: 'name',
      name: WORDS.member,
      onPhone: 'name',
      cell: (member) => (
        <>
          <bdi>{nameOf(member)}</bdi> {member.id === own && <span class="badge">{WORDS.you}</span>}
          {member.attributes.name !== null && <bdi class="person-line">{member.attributes.email}</bdi>}
        </>
      ),
    },
    { id: 'may', name: WORDS.may, onPhone: 'below', cell: scopesText },
    {
      id: 'seen',
      name: WORDS.lastSignedIn,
      cell: ({ attributes: { last_signed_in_at: at } }) => (at === null ? WORDS.never : formatDate(at)),
    },
    {
      id: 'actions',
      name: COMMON.actions,
      isNumber: true,
      onPhone: 'key',
      cell: (member) => (
        <Menu
          label="⋯"
          name={WORDS.actionsFor(nameOf(member))}
          items={[
            { label: WORDS.changeScopes, onSelect: () => setOpen({ kind: 'change', member }) },
            { label: WORDS.removeMember, isDanger: true, onSelect: () => setOpen({ kind: 'remove', member }) },
          ]}
        />
      ),
    },
  ];
  return (
    <Card
      title={WORDS.members}
      beside={<Button label={WORDS.inviteMember} kind="primary" onClick={() => setOpen({ kind: 'invite' })} />}
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
  switch (open.kind) {
    case 'invite':
      return (
        <Dialog title={WORDS.inviteMember} onClose={onClose}>
          <SettingsForm
            fields={[EMAIL, NAME, scopesField(can)]}
            draft={{ email: '', name: '', scopes: 'read' }}
            isInDialog
            onSave={async (_, draft) => {
              const [email, name] = [textIn(draft, 'email').trim(), textIn(draft, 'name').trim()];
              const body = { email, scopes: scopesIn(textIn(draft, 'scopes')), ...(name !== '' && { name }) };
              await api.send('post', '/v2/members', { body, isRepeatable: true });
              onDone(WORDS.invited(email));
              return undefined;
            }}
          />
        </Dialog>
      );
    case 'change': {
      const { id, attributes } = open.member;
      return (
        <Dialog title={WORDS.changeScopes} onClose={onClose}>
          <SettingsForm
            fields={[NAME, scopesField(can)]}
            draft={{ name: typed(attributes.name), scopes: attributes.scopes.join(' ') }}
            isInDialog
            onSave={async (body) => {
              await api.send('patch', '/v2/members/{id}', { params: { id }, body });
              onDone(WORDS.scopesChanged(nameOf(open.member)));
              return undefined;
            }}
          />
        </Dialog>
      );
    }
    case 'remove': {
      const { member } = open;
      const name = nameOf(member);
      return (
        <Confirm
          title={WORDS.removeMember}
          onClose={onClose}
          onConfirm={async () => {
            const { meta } = (await api.send('delete', '/v2/members/{id}', { params: { id: member.id } })).body;
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
  }
}
