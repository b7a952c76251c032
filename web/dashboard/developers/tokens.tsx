import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { type Column, text } from '../../kit/columns.ts';
import { formatDate, formatDateAndTime } from '../../kit/format.ts';
import { useLoaded } from '../../kit/loaded.ts';
import { Table } from '../../kit/table.tsx';
import { tell } from '../../kit/toast.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import * as PEOPLE from '../../words/dashboard/settings-people.ts';
import { Confirm } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { type Field, textIn } from '../settings/fields.ts';
import { SettingsDialog } from '../settings/form.tsx';
import { scopesField, scopesIn, scopesText } from '../settings/scopes.ts';
import { type Token, useNewToken } from './new-token.ts';
import { Secret } from './secret.tsx';

const title = DEVELOPERS.SECTIONS.tokens;

/** The tokens of the program. Only a token with the scope admin may see them. */
export function Tokens() {
  const { can, token } = useDashboard();
  if (can('admin')) return <TokenList />;
  return (
    <Card title={title} advice={token && DEVELOPERS.needsAdmin}>
      {null}
    </Card>
  );
}

function TokenList() {
  const [isCreating, setCreating] = useState(false);
  const [asked, setAsked] = useState<Token>();
  const [list, reload] = useLoaded(async (signal) => {
    // The frame may have read the program with an earlier token, which was exchanged since then.
    const [tokens, about] = await Promise.all([
      api.send('get', '/v2/tokens', { signal }),
      api.send('get', '/v2/program', { signal }),
    ]);
    return { rows: tokens.body.data, own: about.body.meta.token.id };
  }, []);
  return (
    <Card
      title={title}
      advice={DEVELOPERS.tokensAdvice}
      beside={<Button label={DEVELOPERS.createToken} kind="primary" onClick={() => setCreating(true)} />}
    >
      <WhenReady loaded={list} skeleton={<Skeleton lines={3} height={2} />}>
        {({ rows, own }) => (
          <Table name={title} columns={columnsOf(own, setAsked)} rows={rows} keyOf={({ id }) => id} />
        )}
      </WhenReady>
      {asked && (
        <Confirm
          title={DEVELOPERS.revoke}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            await api.send('delete', '/v2/tokens/{id}', { params: { id: asked.id } });
            setAsked(undefined);
            reload();
            tell(DEVELOPERS.revoked);
          }}
        >
          <p>
            <bdi>{DEVELOPERS.revokeAdvice(asked.attributes.name)}</bdi>
          </p>
        </Confirm>
      )}
      {isCreating && <NewToken onClose={() => setCreating(false)} onTried={reload} />}
    </Card>
  );
}

const columnsOf = (own: string, onRevoke: (token: Token) => void): Column<Token>[] => [
  text(DEVELOPERS.name, ({ attributes: { name } }) => <bdi>{name ?? '–'}</bdi>, 'name'),
  text(PEOPLE.scopes, ({ attributes }) => scopesText(attributes.scopes), 'below'),
  text(COMMON.created, ({ attributes: { created_at } }) => formatDate(created_at)),
  text(DEVELOPERS.expires, ({ attributes: { expires_at } }) =>
    expires_at === null ? DEVELOPERS.never : formatDateAndTime(expires_at),
  ),
  text(
    COMMON.actions,
    (token) =>
      token.id === own ? (
        // Revoking it would end this page in the middle of what it does. "Sign out" is for that.
        <span class="badge">{DEVELOPERS.thisToken}</span>
      ) : (
        <div class="buttons row">
          <Button label={DEVELOPERS.revoke} kind="danger" onClick={() => onRevoke(token)} />
        </div>
      ),
    'key',
  ),
];

const DAY = 86_400;
const NAME: Field = { name: 'name', label: DEVELOPERS.name };
const EXPIRES: Field = {
  kind: 'choice',
  name: 'expires_in',
  label: DEVELOPERS.expires,
  options: [
    ['', DEVELOPERS.never],
    ...[30, 90, 365].map((days) => [`${days * DAY}`, DEVELOPERS.inDays(days)] as const),
  ],
};

interface NewTokenProps {
  readonly onClose: () => void;
  /** Called after each attempt: a token may exist although the response was lost. */
  readonly onTried: () => void;
}

function NewToken({ onClose, onTried }: NewTokenProps) {
  const { can } = useDashboard();
  const { create, isLost } = useNewToken();
  const [created, setCreated] = useState<string>();
  return (
    <SettingsDialog
      title={DEVELOPERS.newToken}
      onClose={onClose}
      result={created === undefined ? undefined : <Secret label={DEVELOPERS.token} value={created} />}
      fields={[NAME, scopesField(can, true), EXPIRES]}
      // What a shop's server needs to report sign-ups and payments, and to look customers up.
      draft={{ name: '', scopes: ['read', can('track') && 'track'].filter(Boolean).join(' '), expires_in: '' }}
      onSave={async (_, draft) => {
        const [name, seconds] = [textIn(draft, 'name').trim(), Number(textIn(draft, 'expires_in'))];
        const body = {
          scopes: scopesIn(draft),
          ...(name && { name }),
          ...(seconds > 0 && { expires_in: seconds }),
        };
        try {
          setCreated(await create(body));
        } finally {
          onTried();
        }
        return undefined;
      }}
    >
      {(view) => (
        <>
          <p class="soft">{DEVELOPERS.tokenPurpose}</p>
          {view('name', 'scopes', 'expires_in')}
          {isLost && <p class="soft">{DEVELOPERS.tokenLost}</p>}
        </>
      )}
    </SettingsDialog>
  );
}
