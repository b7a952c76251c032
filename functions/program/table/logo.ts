import { NOT_EXISTS, notExistsOrSame } from '../../kernel/dynamodb/conditions.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { logoKey } from '../../kernel/dynamodb/keys.ts';
import { get, type Table } from '../../kernel/dynamodb/table.ts';
import { deleteWrite, putWrite } from '../../kernel/dynamodb/writes.ts';
import { bytes, text } from '../../kernel/fields/parsers.ts';
import { type Logo, logoType } from '../rules/logo.ts';
import { writeProgram } from './program-changes.ts';

/** Attribute with the version of the stored picture. */
const VERSION = 'logo_version';

/** Reads the logo of a program; `undefined` if it has none. */
export async function findLogo(table: Table, program: string): Promise<Logo | undefined> {
  const item = await get(table, logoKey(program));
  return item && parseLogoItem(item);
}

/**
 * Replaces the logo of a program, or deletes it with `null`. The program contains the version of the picture, and both change
 * in one transaction: after two simultaneous uploads, picture and version are of the same one. Writes nothing if the program has
 * this logo. Throws `ProgramNotFound`.
 */
export async function replaceLogo(table: Table, program: string, logo: Logo | null): Promise<void> {
  const logoVersion = logo?.version ?? null;
  await writeProgram(
    table,
    program,
    (before) => ({ ...before, logoVersion }),
    (before) => {
      const isKnown = before.logoVersion === null ? NOT_EXISTS : notExistsOrSame(VERSION, before.logoVersion);
      return [
        logo ? putWrite('logo', toLogoItem(program, logo), isKnown) : deleteWrite('logo', logoKey(program), isKnown),
      ];
    },
  );
}

function toLogoItem(program: string, logo: Logo): Item {
  return { ...logoKey(program), [VERSION]: logo.version, media_type: logo.mediaType, bytes: logo.bytes };
}

function parseLogoItem(item: Item): Logo {
  return {
    bytes: required(item, 'bytes', bytes),
    mediaType: required(item, 'media_type', logoType),
    version: required(item, VERSION, text),
  };
}
