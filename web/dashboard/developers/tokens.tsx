import { useId, useState } from 'preact/hooks';
import type { ResponseBody } from '../../kit/api-types.ts';
import { formatDate, formatDateAndTime } from '../../kit/format.ts';
import { useLoaded } from '../../kit/load.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { useActions } from '../actions.tsx';
import { useDashboard } from '../context.ts';
import { Confirm } from '../form-dialog.tsx';
import { NewToken } from './new-token.tsx';

type Token = ResponseBody<'/v2/tokens', 'get'>['data'][number];

/** The tokens of the program. Only a token with the scope admin may see them. */
export function Tokens() {
  const id = useId();
  const { can, token } = useDashboard();
  if (!token) return null;
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{DEVELOPERS.tokens}</h2>
        <p class="soft">{can('admin') ? DEVELOPERS.tokensAdvice : DEVELOPERS.needsAdmin}</p>
      </div>
      {can('admin') && <TokenList />}
    </section>
  );
}

function TokenList() {
  const { api } = useDashboard();
  const { finish, report } = useActions();
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
  async function revoke(id: string): Promise<void> {
    await api.send('delete', '/v2/tokens/{id}', { params: { id } });
    setAsked(undefined);
    reload();
    finish(DEVELOPERS.revoked);
  }
  return (
    <>
      <WhenReady loaded={list} onRetry={reload} skeleton={<Skeleton lines={3} height={2} />}>
        {({ rows, own }) => (
          <Table name={DEVELOPERS.tokens} columns={columnsOf(own, setAsked)} rows={rows} keyOf={({ id }) => id} />
        )}
      </WhenReady>
      {report}
      <div class="list-foot">
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          {DEVELOPERS.createToken}
        </button>
      </div>
      {asked && (
        <Confirm title={DEVELOPERS.revoke} onClose={() => setAsked(undefined)} onConfirm={() => revoke(asked.id)}>
          <p>
            <bdi>{DEVELOPERS.revokeAdvice(asked.attributes.name)}</bdi>
          </p>
        </Confirm>
      )}
      {isCreating && <NewToken onClose={() => setCreating(false)} onTried={reload} />}
    </>
  );
}

function columnsOf(own: string, onRevoke: (token: Token) => void): Column<Token>[] {
  return [
    { name: DEVELOPERS.name, cell: ({ attributes: { name } }) => <bdi>{name ?? '–'}</bdi> },
    { name: DEVELOPERS.scopes, cell: ({ attributes: { scopes } }) => scopes.join(', ') },
    { name: DEVELOPERS.created, cell: ({ attributes: { created_at } }) => formatDate(created_at) },
    {
      name: DEVELOPERS.expires,
      cell: ({ attributes: { expires_at } }) =>
        expires_at === null ? DEVELOPERS.never : formatDateAndTime(expires_at),
    },
    {
      name: DEVELOPERS.actions,
      cell: (token) =>
        token.id === own ? (
          // Revoking it would end this page in the middle of what it does. "Sign out" is for that.
          <span class="badge">{DEVELOPERS.thisToken}</span>
        ) : (
          <div class="buttons row">
            <button type="button" class="danger" onClick={() => onRevoke(token)}>
              {DEVELOPERS.revoke}
            </button>
          </div>
        ),
    },
  ];
}
