import { useState } from 'preact/hooks';
import type { RequestBody, ResponseBody } from '../../kit/api.ts';
import { isUnanswered } from '../form-dialog.tsx';
import { api } from '../service.ts';

export type Token = ResponseBody<'/v2/tokens', 'get'>['data'][number];
type Body = NonNullable<RequestBody<'/v2/tokens', 'post'>>;

/** A request without a response. */
interface Lost {
  readonly body: Body;
  /** The ids of the tokens that existed before it. */
  readonly known: readonly string[];
}

/** Creates tokens. After a response that was lost, the token that nobody has seen is revoked before the next one. */
export function useNewToken() {
  const [lost, setLost] = useState<Lost>();
  async function create(body: Body): Promise<string> {
    const tokens = (await api.send('get', '/v2/tokens')).body.data;
    if (lost) await revokeAll(createdBy(lost, tokens));
    try {
      const created = (await api.send('post', '/v2/tokens', { body })).body.data.attributes.token;
      setLost(undefined);
      return created;
    } catch (error) {
      setLost(isUnanswered(error) ? { body, known: tokens.map(({ id }) => id) } : undefined);
      throw error;
    }
  }
  return { create, isLost: lost !== undefined };
}

const createdBy = ({ body, known }: Lost, tokens: readonly Token[]) =>
  tokens.filter(
    ({ id, attributes: { name, scopes } }) =>
      !known.includes(id) && name === (body.name ?? null) && scopes.join() === body.scopes.join(),
  );

async function revokeAll(tokens: readonly Token[]): Promise<void> {
  for (const { id } of tokens) await api.send('delete', '/v2/tokens/{id}', { params: { id } });
}
