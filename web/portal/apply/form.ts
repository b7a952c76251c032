import type { ResponseBody } from '../../kit/api.ts';
import { api } from '../service.ts';

/** The form of a program. */
export type Form = ResponseBody<'/v2/apply/{pk}', 'get'>['data']['attributes'];

export type Question = Form['application_fields'][number];

/** The name of a question's field in errors of the API. */
export const nameOf = ({ key }: Question) => `answers.${key}`;

/** Reads the form of a program. */
export async function readForm(pk: string, signal?: AbortSignal): Promise<Form> {
  const options = { params: { pk }, token: '', ...(signal && { signal }) };
  return (await api.send('get', '/v2/apply/{pk}', options)).body.data.attributes;
}
