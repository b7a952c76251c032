import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { validateXML } from 'xmllint-wasm';

// The schema as ISO 20022 publishes it in the archive of its message definitions
// (https://www.iso20022.org/catalogue-messages/iso-20022-messages-archive).
const SCHEMA = path.join(import.meta.dirname, 'pain.001.001.09.xsd');

/** The errors of a credit transfer by the schema of its message; none if it is valid. */
export async function schemaErrors(xml: string): Promise<readonly string[]> {
  const schema = await readFile(SCHEMA, 'utf8');
  const { errors } = await validateXML({ xml, schema });
  return errors.map(({ message }) => message);
}
