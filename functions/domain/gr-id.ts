import { InvalidField } from './errors.ts';
import { SLUG_PATTERN } from './slug.ts';
import { UUIDV7_PATTERN } from './uuid.ts';

/** What the visitor's cookie says: who was followed, and the click it was given for. */
export interface GrId {
  readonly slug: string;
  readonly clickId: string;
}

/** The form of a `gr_id`; its groups are the slug and the click id. */
export const GR_ID_PATTERN = `^(${SLUG_PATTERN})\\.(${UUIDV7_PATTERN})$`;

const GR_ID = new RegExp(GR_ID_PATTERN);

/** Parses `<slug>.<click id>`; the slug is compared in lower case. Throws `InvalidField` naming `gr_id`. */
export function parseGrId(text: string): GrId {
  const [, slug, clickId] = GR_ID.exec(text) ?? [];
  if (slug === undefined || clickId === undefined) {
    throw new InvalidField('gr_id', 'must be the value of the gr_id cookie: a slug, a dot and a click id');
  }
  return { slug: slug.toLowerCase(), clickId };
}
