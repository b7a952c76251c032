import { z } from 'zod';
import type { Demo } from './demo.ts';
import type { Service } from './service.ts';

export interface Call {
  readonly body: Buffer;
  readonly cookies: string | undefined;
  readonly demo: Demo;
  readonly service: Service;
}

/** Longest field of a form, in characters. The service validates the contents. */
const MAX_FIELD = 300;

export class InvalidForm extends Error {}

export function field(min: 0 | 1) {
  const error = `must be a string of ${min} to ${MAX_FIELD} characters.`;
  return z.string(error).min(min, error).max(MAX_FIELD, error);
}

/** Parses the form that a page sent as JSON. Throws `InvalidForm` with a sentence that contains the field's name. */
export function parseForm<Form>(schema: z.ZodType<Form>, body: Buffer): Form {
  const { success, data, error } = schema.safeParse(parseJson(body));
  if (success) return data;
  const [
    {
      path: [name],
      message,
    } = { path: [] },
  ] = error.issues;
  throw new InvalidForm(name === undefined ? 'The form must be a JSON object.' : `${String(name)} ${message}`);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}
