import { useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { Button, Card, Dialog, SelectField, TextField } from '../../kit/controls.tsx';
import { formatDate, formatDateAndTime } from '../../kit/format.ts';
import { CheckField } from '../../kit/forms.tsx';
import { Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { Confirm, CopyField, Form } from '../form-dialog.tsx';
import { type Scope, useDashboard } from '../router.ts';
import { type Token, useNewToken } from './new-token.ts';

/** The tokens of the program. Only a token with the scope admin may see them. */
export function Tokens() {
  const { can, token } = useDashboard();
  const [isCreating, setCreating] = useState(false);
  const isAllowed = can('admin');
  const create = isAllowed && (
    <Button label={DEVELOPERS.createToken} kind="primary" onClick={() => setCreating(true)} />
  );
  return (
    <Card
      title={DEVELOPERS.SECTIONS.tokens}
      advice={token && !isAllowed ? DEVELOPERS.needsAdmin : DEVELOPERS.tokensAdvice}
      beside={create}
    >
      {isAllowed && <TokenList isCreating={isCreating} onClose={() => setCreating(false)} />}
    </Card>
  );
}

interface TokenListProps {
  readonly isCreating: boolean;
  readonly onClose: () => void;
}

function TokenList({ isCreating, onClose }: TokenListProps) {
  const { api } = useDashboard();
  const [asked, setAsked] = useState<Token>();
  const [list, reload] = useLoaded(async (signal) => {
    // The frame may have read the program with an earlier token, which was exchanged since then.
    const [tokens, about] = await Promise.all([
      api.send('get', '/v2/tokens', { signal }),
      api.send('get', '/v2/program', { signal }),
    ]);
    return { rows: tokens.body.data, own: about.body.meta.token.id };
  }, []);
  async function revoke(id: string): Promise<void> {
    await api.send('delete', '/v2/tokens/{id}', { params: { id } });
    setAsked(undefined);
    reload();
    tell(DEVELOPERS.revoked);
  }
  return (
    <>
      <WhenReady loaded={list} skeleton={<Skeleton lines={3} height={2} />}>
        {({ rows, own }) => (
          <Table
            name={DEVELOPERS.SECTIONS.tokens}
            columns={columnsOf(own, setAsked)}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </WhenReady>
      {asked && (
        <Confirm title={DEVELOPERS.revoke} onClose={() => setAsked(undefined)} onConfirm={() => revoke(asked.id)}>
          <p>
            <bdi>{DEVELOPERS.revokeAdvice(asked.attributes.name)}</bdi>
          </p>
        </Confirm>
      )}
      {isCreating && <NewToken onClose={onClose} onTried={reload} />}
    </>
  );
}

const columnsOf = (own: string, onRevoke: (token: Token) => void): Column<Token>[] => [
  { id: 'name', name: DEVELOPERS.name, onPhone: 'name', cell: ({ attributes: { name } }) => <bdi>{name ?? '–'}</bdi> },
  {
    id: 'scopes',
    name: DEVELOPERS.scopes,
    onPhone: 'below',
    cell: ({ attributes: { scopes } }) =>
      SCOPES.every((scope) => scopes.includes(scope)) ? DEVELOPERS.everything : scopes.map(wordOf).join(', '),
  },
  { id: 'created', name: COMMON.created, cell: ({ attributes: { created_at } }) => formatDate(created_at) },
  {
    id: 'expires',
    name: DEVELOPERS.expires,
    cell: ({ attributes: { expires_at } }) => (expires_at === null ? DEVELOPERS.never : formatDateAndTime(expires_at)),
  },
  {
    id: 'actions',
    name: COMMON.actions,
    onPhone: 'key',
    cell: (token) =>
      token.id === own ? (
        // Revoking it would end this page in the middle of what it does. "Sign out" is for that.
        <span class="badge">{DEVELOPERS.thisToken}</span>
      ) : (
        <div class="buttons row">
          <Button label={DEVELOPERS.revoke} kind="danger" onClick={() => onRevoke(token)} />
        </div>
      ),
  },
];

/** A page that is open for long may meet a scope of a later version. */
const WORDS: Partial<Record<string, string>> = DEVELOPERS.SHORT_SCOPES;
const wordOf = (scope: string) => WORDS[scope] ?? scope;

const SCOPES = ['read', 'track', 'advocates', 'payouts', 'admin'] as const;
/** What a shop's server needs to report sign-ups and payments, and to look customers up. */
const SHOP_SCOPES = ['read', 'track'] as const;
const DAYS = ['30', '90', '365'] as const;
const DAY = 86_400;

interface NewTokenProps {
  readonly onClose: () => void;
  /** Called after each attempt: a token may exist although the response was lost. */
  readonly onTried: () => void;
}

function NewToken({ onClose, onTried }: NewTokenProps) {
  const [created, setCreated] = useState<string>();
  return (
    <Dialog title={DEVELOPERS.newToken} onClose={onClose}>
      {created === undefined ? (
        <TokenForm onCreated={setCreated} onTried={onTried} />
      ) : (
        <div class="form" role="status">
          <p>{DEVELOPERS.shownOnce}</p>
          <CopyField label={DEVELOPERS.token} value={created} />
        </div>
      )}
    </Dialog>
  );
}

interface TokenFormProps {
  readonly onCreated: (token: string) => void;
  readonly onTried: () => void;
}

function TokenForm({ onCreated, onTried }: TokenFormProps) {
  const { can } = useDashboard();
  const { create, isLost } = useNewToken();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(SHOP_SCOPES.filter(can));
  const [days, setDays] = useState<'' | (typeof DAYS)[number]>('');
  async function save(): Promise<void> {
    if (scopes.length === 0) throw new ApiError(DEVELOPERS.noScope, -1);
    try {
      const created = await create({
        scopes: [...scopes],
        ...(name.trim() && { name: name.trim() }),
        ...(days && { expires_in: Number(days) * DAY }),
      });
      onCreated(created);
    } finally {
      onTried();
    }
  }
  return (
    <Form onSave={save} isInDialog>
      <p class="soft">{DEVELOPERS.tokenPurpose}</p>
      <TextField label={DEVELOPERS.name} value={name} onInput={setName} />
      <fieldset class="scopes">
        <legend>{DEVELOPERS.scopes}</legend>
        {/* A token can only pass on scopes that it has. */}
        {SCOPES.filter(can).map((scope) => (
          <CheckField
            key={scope}
            label={scope}
            hint={DEVELOPERS.SCOPES[scope]}
            isChecked={scopes.includes(scope)}
            onChange={(isChecked) =>
              setScopes(SCOPES.filter((each) => (each === scope ? isChecked : scopes.includes(each))))
            }
          />
        ))}
      </fieldset>
      <SelectField
        label={DEVELOPERS.expires}
        value={days}
        options={[['', DEVELOPERS.never], ...DAYS.map((each) => [each, DEVELOPERS.inDays(Number(each))] as const)]}
        onChange={setDays}
      />
      {isLost && <p class="soft">{DEVELOPERS.tokenLost}</p>}
    </Form>
  );
}
