import { InvalidField } from './errors.ts';
import { UUIDV7_PATTERN } from './uuid.ts';

/** What the visitor's cookie says: who was followed, and the click it was given for. */
export interface GrId {
  readonly slug: string;
  readonly clickId: string;
}

const GR_ID = new RegExp(`^([A-Za-z0-9-]{1,64})\\.(${UUIDV7_PATTERN})$`);

/** Parses `<slug>.<click id>`; the slug is compared in lower case. Throws `InvalidField` naming `gr_id`. */
export function parseGrId(text: string): GrId {
  const [, slug, clickId] = GR_ID.exec(text) ?? [];
  if (slug === undefined || clickId === undefined) {
    throw new InvalidField('gr_id', 'must be the value of the gr_id cookie: a slug, a dot and a click id');
  }
  return { slug: slug.toLowerCase(), clickId };
}
