import type { Random } from '../../kernel/ids.ts';
import { isUuidv7 } from '../../kernel/ids.ts';

/** How long the code of a sign-in is valid, in seconds. */
export const SIGN_IN_LIFETIME = 900;

/** The code in a link: where it is stored, and the secret that proves it. */
export interface LinkCode {
  readonly program: string;
  /** The hash of the address to which the link was sent. */
  readonly address: string;
  readonly secret: string;
}

const PROGRAM_BYTES = 16;
const ADDRESS_BYTES = 32;
const SECRET_BYTES = 16;
const CODE = /^[\w-]{86}$/;

/** Makes a code with 128 random bits. */
export function makeLinkCode(program: string, address: string, random: Random): LinkCode {
  return { program, address, secret: Buffer.from(random(SECRET_BYTES)).toString('base64url') };
}

/** Writes a code as 86 characters that are safe in a URL. */
export function writeLinkCode({ program, address, secret }: LinkCode): string {
  return Buffer.concat([
    Buffer.from(program.replaceAll('-', ''), 'hex'),
    Buffer.from(address, 'hex'),
    Buffer.from(secret, 'base64url'),
  ]).toString('base64url');
}

/** Parses what `writeLinkCode` wrote; `undefined` for anything else. */
export function parseLinkCode(text: string): LinkCode | undefined {
  const bytes = Buffer.from(CODE.test(text) ? text : '', 'base64url');
  const program = bytes
    .subarray(0, PROGRAM_BYTES)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  if (!isUuidv7(program)) return undefined;
  const rest = bytes.subarray(PROGRAM_BYTES);
  return {
    program,
    address: rest.subarray(0, ADDRESS_BYTES).toString('hex'),
    secret: rest.subarray(ADDRESS_BYTES).toString('base64url'),
  };
}
