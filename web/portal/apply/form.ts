import type { ResponseBody } from '../../kit/api.ts';
import { api } from '../service.ts';

/** The form of a program. */
export type Form = ResponseBody<'/v2/apply/{pk}', 'get'>['data']['attributes'];

export type Question = Form['application_fields'][number];

/** The name of a question's field in errors of the API. */
export const nameOf = ({ key }: Question) => `answers.${key}`;

const forms = new Map<string, Form>();

/** Reads the form of a program, once. */
export async function readForm(pk: string, options: { readonly signal?: AbortSignal } = {}): Promise<Form> {
  const form = forms.get(pk) ?? (await readAgain(pk, options));
  forms.set(pk, form);
  return form;
}

/** Reads the form of a program that has changed. */
export async function readAgain(pk: string, options: { readonly signal?: AbortSignal } = {}): Promise<Form> {
  forms.delete(pk);
  return (await api.send('get', '/v2/apply/{pk}', { params: { pk }, token: '', ...options })).body.data.attributes;
}
