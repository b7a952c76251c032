import { InvalidField } from './errors.ts';
import { SLUG_PATTERN } from './slug.ts';
import { UUIDV7_PATTERN } from './uuid.ts';

/** What the visitor's cookie says: who was followed, and the click it was given for. */
export interface GrId {
  readonly slug: string;
  readonly clickId: string;
}

/** The form of a `gr_id`, anchored: a slug in either case, a dot, a UUIDv7 in lower case. */
export const GR_ID_PATTERN = `^${SLUG_PATTERN.replace('a-z', 'a-zA-Z')}\\.${UUIDV7_PATTERN}$`;
const GR_ID = new RegExp(GR_ID_PATTERN);

/** Parses `<slug>.<click id>`; the slug is compared in lower case. Throws `InvalidField` naming `gr_id`. */
export function parseGrId(text: string): GrId {
  if (!GR_ID.test(text)) {
    throw new InvalidField('gr_id', 'must be the value of the gr_id cookie: a slug, a dot and a click id');
  }
  const dot = text.indexOf('.');
  return { slug: text.slice(0, dot).toLowerCase(), clickId: text.slice(dot + 1) };
}
