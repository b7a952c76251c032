const GR_ID = /^([a-z\d-]{1,64})\.[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The slug of a `gr_id`, or undefined for a text that is none. */
export function slugOf(text = ''): string | undefined {
  return (GR_ID.exec(text) || [])[1];
}

/** The `gr_id` of a new click: the slug, a dot and a UUIDv7 (RFC 9562 section 5.7), of which 72 bits are random. */
export function newGrId(slug: string): string {
  // Until the year 2527 the time has eleven of its twelve digits.
  const uuid = `0${Date.now().toString(16)}-7xxx-8xxx-xxxxxxxxxxxx`
    .replace(/.{8}/, '$&-')
    .replace(/x/g, () => (Number(crypto.getRandomValues(new Uint8Array(1))) & 15).toString(16));
  return `${slug}.${uuid}`;
}
