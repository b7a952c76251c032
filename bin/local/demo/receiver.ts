import { Webhook } from 'standardwebhooks';
import type { HttpResult } from '../../../functions/http/context.ts';
import type { PageRequest } from '../gateway.ts';

export function receive({ headers, body }: PageRequest, secret: string): HttpResult {
  const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  try {
    new Webhook(secret).verify(body, signed);
    return { statusCode: 204 };
  } catch {
    return { statusCode: 400 };
  }
}
