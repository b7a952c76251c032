import { createHash } from 'node:crypto';
import { InvalidField } from '../../kernel/errors.ts';
import { oneOf, type Parser } from '../../kernel/fields/parsers.ts';

/** The picture of a program. */
export interface Logo {
  readonly bytes: Uint8Array;
  readonly mediaType: LogoType;
  /** Depends on the bytes alone, so that a repeated upload changes nothing. */
  readonly version: string;
}

/** The largest picture in KiB. */
export const MAX_LOGO = 64;
/** As many characters of base64 as the largest picture needs. */
export const MAX_BASE64 = Math.ceil((MAX_LOGO * 1024) / 3) * 4;

/** Base64 with its padding (RFC 4648 section 4). */
export const BASE64_PATTERN = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';
export const LOGO_VERSION_PATTERN = '^[0-9a-f]{16}$';

export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** Parses a stored type. */
export const logoType: Parser<LogoType> = oneOf<LogoType>(LOGO_TYPES);

/** Parses a picture in base64. Throws `InvalidField`. */
export function parseLogo(field: string, text: string): Logo {
  const isBase64 = text.length <= MAX_BASE64 && new RegExp(BASE64_PATTERN).test(text);
  const bytes = Buffer.from(isBase64 ? text : '', 'base64');
  const mediaType = typeOf(bytes);
  if (!mediaType || bytes.byteLength > MAX_LOGO * 1024) {
    throw new InvalidField(field, `must be a PNG, JPEG or WebP picture of at most ${MAX_LOGO} KiB, in base64`);
  }
  return { bytes, mediaType, version: createHash('sha256').update(bytes).digest('hex').slice(0, 16) };
}

/**
 * The type of a picture, by its first bytes alone. SVG is not accepted: it can contain scripts, which would run at the
 * address of the pages.
 */
function typeOf(bytes: Buffer): LogoType | undefined {
  const start = bytes.subarray(0, 12).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}
