import { type Api, ApiError, type ResponseBody } from '../../kit/api.ts';

export type Advocate = ResponseBody<'/v2/advocates', 'get'>['data'][number];

/** Reads a page of all advocates, newest first. */
export async function readAdvocates(api: Api, cursor: string | undefined, signal: AbortSignal) {
  const query = { per_page: 25, cursor };
  const { body, next } = await api.send('get', '/v2/advocates', { query, signal });
  return { rows: body.data, next };
}

/** Finds the advocates with exactly this email, id or slug, each kind that the text can be in parallel. */
export async function findAdvocates(api: Api, text: string, signal: AbortSignal): Promise<Advocate[]> {
  const list = async (query: { email_eq: string } | { uid_eq: string }) =>
    (await api.send('get', '/v2/advocates', { query: { ...query, per_page: 50 }, signal })).body.data;
  const found = await Promise.all([
    text.includes('@') ? unlessMissing(list({ email_eq: text })) : [],
    unlessMissing(list({ uid_eq: text })),
    /^[\w-]{1,64}$/.test(text) ? unlessMissing(readBySlug(api, text, signal)) : [],
  ]);
  return [...new Map(found.flat().map((advocate) => [advocate.id, advocate])).values()];
}

async function readBySlug(api: Api, slug: string, signal: AbortSignal): Promise<Advocate[]> {
  return [(await api.send('get', '/v2/advocates/{slug}', { params: { slug }, signal })).body.data];
}

/** No advocate, and a text that cannot be of this kind, are no results. */
async function unlessMissing(reading: Promise<Advocate[]>): Promise<Advocate[]> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return [];
    throw error;
  }
}

export function nameOf({ first_name, last_name, email, uid }: Advocate['attributes']): string | undefined {
  return [first_name, last_name].filter(Boolean).join(' ') || (email ?? uid ?? undefined);
}

/** An erased advocate has no email. */
export const isErased = ({ attributes: { email } }: Advocate) => email === null;
