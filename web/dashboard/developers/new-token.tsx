import { useState } from 'preact/hooks';
import type { Api } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import type { RequestBody, ResponseBody } from '../../kit/api-types.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { isUnanswered } from '../actions.tsx';
import { type Scope, useDashboard } from '../context.ts';
import { CheckField, CopyField, SelectField } from '../fields.tsx';
import { Form, TextField } from '../form-dialog.tsx';

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

/** Creates a token, which is shown once. */
export function NewToken({ onClose, onTried }: NewTokenProps) {
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
type Token = ResponseBody<'/v2/tokens', 'get'>['data'][number];

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
