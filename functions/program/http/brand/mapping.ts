import { programIdOf } from '../../../kernel/accounts/rules/program.ts';
import { InvalidField, LogoNotFound } from '../../../kernel/errors.ts';
import type { HttpEvent, HttpResult } from '../../../kernel/http/context.ts';
import { type QueryEvent, validBody, validQuery } from '../../../kernel/http/validation.ts';
import { LOGO_VERSION_PATTERN, type Logo, parseLogo } from '../../rules/logo.ts';
import { parseResources, type Resource } from '../../rules/resources.ts';
import { LOGO_QUERY } from './schema.ts';
import { logoBody, logoQuery, resourcesBody } from './validators.js';

/** Parses the body with a picture. Throws `InvalidField`. */
export const parseLogoBody = (json: unknown): Logo => parseLogo('image', validBody(json, logoBody).image);

/** Checks the version in the address of a logo. Throws `InvalidField`. */
export function parseLogoQuery(event: QueryEvent): void {
  const { v } = validQuery(event, LOGO_QUERY, logoQuery);
  if (v === undefined || new RegExp(LOGO_VERSION_PATTERN).test(v)) return;
  throw new InvalidField('v', 'must be the logo_version of the program: request it again');
}

/** Returns the id of the program of a logo. Throws `InvalidField`, or `LogoNotFound` for a malformed key. */
export function parseLogoAddress(event: HttpEvent): string {
  parseLogoQuery(event);
  const id = programIdOf(event.pathParameters?.['pk'] ?? '');
  if (id === undefined) throw new LogoNotFound();
  return id;
}

/** Parses the body with the whole list. Throws `InvalidField`. */
export const parseResourcesBody = (json: unknown): readonly Resource[] =>
  parseResources('resources', validBody(json, resourcesBody).resources);

/** Builds the response to an upload. */
export function toLogoData(id: string, { version, mediaType }: Logo) {
  return { data: { id, type: 'logo', attributes: { logo_version: version, media_type: mediaType } } } as const;
}

/** Builds the response with the picture itself, which no browser takes for anything else. */
export function toPicture({ bytes, mediaType }: Logo): HttpResult {
  return {
    statusCode: 200,
    headers: {
      'content-type': mediaType,
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    },
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  };
}

/** Builds the response with the resources of a program. */
export function toResourcesData(id: string, resources: readonly Resource[]) {
  return { data: { id, type: 'resources', attributes: { resources } } } as const;
}
