import { useState } from 'preact/hooks';
import type { Api, RequestBody, ResponseBody } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { Button, Card, Dialog, SelectField, TextField } from '../../kit/controls.tsx';
import { formatDate, formatDateAndTime } from '../../kit/format.ts';
import { CheckField } from '../../kit/forms.tsx';
import { Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { Confirm, CopyField, Form, isUnanswered, useActions } from '../form-dialog.tsx';
import { type Scope, useDashboard } from '../router.ts';

type Token = ResponseBody<'/v2/tokens', 'get'>['data'][number];

/** The tokens of the program. Only a token with the scope admin may see them. */
export function Tokens() {
  const { can, token } = useDashboard();
  if (!token) return null;
  return (
    <Card title={DEVELOPERS.tokens} advice={can('admin') ? DEVELOPERS.tokensAdvice : DEVELOPERS.needsAdmin}>
      {can('admin') && <TokenList />}
    </Card>
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
        <Button label={DEVELOPERS.createToken} kind="primary" onClick={() => setCreating(true)} />
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
    { name: COMMON.created, cell: ({ attributes: { created_at } }) => formatDate(created_at) },
    {
      name: DEVELOPERS.expires,
      cell: ({ attributes: { expires_at } }) =>
        expires_at === null ? DEVELOPERS.never : formatDateAndTime(expires_at),
    },
    {
      name: COMMON.actions,
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
}

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

type Body = NonNullable<RequestBody<'/v2/tokens', 'post'>>;

/** A request without a response. */
interface Lost {
  readonly body: Body;
  /** The ids of the tokens that existed before it. */
  readonly known: readonly string[];
}

/** The tokens that a lost request created. Nobody has seen them. */
const createdBy = ({ body, known }: Lost, tokens: readonly Token[]) =>
  tokens.filter(
    ({ id, attributes: { name, scopes } }) =>
      !known.includes(id) && name === (body.name ?? null) && scopes.join() === body.scopes.join(),
  );

async function revoke(api: Api, tokens: readonly Token[]): Promise<void> {
  for (const { id } of tokens) await api.send('delete', '/v2/tokens/{id}', { params: { id } });
}

interface TokenFormProps {
  readonly onCreated: (token: string) => void;
  readonly onTried: () => void;
}

function TokenForm({ onCreated, onTried }: TokenFormProps) {
  const { api, can } = useDashboard();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(SHOP_SCOPES.filter(can));
  const [days, setDays] = useState<'' | (typeof DAYS)[number]>('');
  const [lost, setLost] = useState<Lost>();
  async function save(): Promise<void> {
    if (scopes.length === 0) throw new ApiError(DEVELOPERS.noScope, -1);
    const body = {
      scopes: [...scopes],
      ...(name.trim() && { name: name.trim() }),
      ...(days && { expires_in: Number(days) * DAY }),
    };
    const tokens = (await api.send('get', '/v2/tokens')).body.data;
    if (lost) await revoke(api, createdBy(lost, tokens));
    try {
      onCreated((await api.send('post', '/v2/tokens', { body })).body.data.attributes.token);
    } catch (error) {
      setLost(isUnanswered(error) ? { body, known: tokens.map(({ id }) => id) } : undefined);
      throw error;
    } finally {
      onTried();
    }
  }
  return (
    <Form onSave={save}>
      <p class="soft">{DEVELOPERS.tokenPurpose}</p>
      <TextField label={DEVELOPERS.name} hint={DEVELOPERS.nameHint} value={name} onInput={setName} />
      <fieldset class="scopes">
        <legend>{DEVELOPERS.scopes}</legend>
        {/* A token can only pass on scopes that it has. */}
        {SCOPES.filter(can).map((scope) => (
          <CheckField
            key={scope}
            label={scope}
            hint={DEVELOPERS.scopesOf[scope]}
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
      {lost && <p class="soft">{DEVELOPERS.tokenLost}</p>}
    </Form>
  );
}
