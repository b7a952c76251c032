import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { VALIDATED as advocates } from '../../functions/advocates/schema.ts';
import { VALIDATED as referrals } from '../../functions/referrals/schema.ts';
import type { FunctionName } from '../../functions/routes.ts';
import { VALIDATED as tracking } from '../../functions/tracking/schema.ts';
import type { GeneratedFile } from './main.ts';

const SCHEMAS: Record<FunctionName, Record<string, { readonly [keyword: string]: unknown }>> = {
  advocates,
  referrals,
  tracking,
};

const NOTICE = '// Made by `npm run generate` of schema.ts beside it. Not to be edited.\n';

/**
 * The validators of each function as plain JavaScript. To compile them when a function starts would add ajv's 150 KB to
 * each bundle and 50 ms to each cold start (measured).
 */
export async function validatorFiles(): Promise<GeneratedFile[]> {
  const files = await Promise.all(
    Object.entries(SCHEMAS).map(async ([folder, schemas]) => [
      { path: `functions/${folder}/validators.js`, text: NOTICE + (await compile(schemas)) },
      { path: `functions/${folder}/validators.d.ts`, text: NOTICE + declare(schemas) },
    ]),
  );
  return files.flat();
}

async function compile(schemas: Record<string, { readonly [keyword: string]: unknown }>): Promise<string> {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    ownProperties: true,
    // The sentence about a choice of fields names the alternatives of the schema.
    verbose: true,
    code: { source: true, esm: true, lines: true },
  });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(checkedPart(schema), name);
  const code = standalone.default(ajv, Object.fromEntries(Object.keys(schemas).map((name) => [name, name])));
  // What ajv's code requires at run time is put into the file: an ES module cannot require.
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}

/**
 * Keywords that only document. Bounds and patterns of strings are checked by the domain, which normalizes first and
 * reports what is wrong; test/unit/openapi-requests.test.ts compares the two.
 */
const UNCHECKED = new Set(['description', 'examples', 'pattern', 'minLength', 'maxLength']);

/** The schema without those keywords: verbose code contains its schema. */
function checkedPart(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      // A field with such a name has a schema, which is an object.
      const isSchema = typeof value === 'object' && !Array.isArray(value);
      return UNCHECKED.has(key) && !isSchema ? undefined : value;
    }),
  );
}

function declare(schemas: Record<string, unknown>): string {
  const constant = (name: string) => name.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase();
  const names = Object.keys(schemas);
  return [
    "import type { Checked, Validator } from '../http/validation.ts';",
    `import type { ${names.map(constant).join(', ')} } from './schema.ts';`,
    '',
    ...names.map((name) => `export const ${name}: Validator<Checked<typeof ${constant(name)}>>;`),
    '',
  ].join('\n');
}
