import { asReceived, example, type Operations } from '../../openapi/operation.ts';
import { PROGRAM } from '../../openapi/records.ts';
import {
  parseLogoBody,
  parseLogoQuery,
  parseResourcesBody,
  toLogoData,
  toResourcesData,
} from '../http/brand/mapping.ts';
import type { BRAND_ROUTES } from '../http/brand/routes.ts';
import { LOGO_BODY, LOGO_DATA, LOGO_QUERY, RESOURCES_BODY, RESOURCES_DATA } from '../http/brand/schema.ts';
import { LOGO_TYPES } from '../rules/logo.ts';

/** A coffee bean of 32 by 32 pixels. */
const LOGO = {
  image:
    'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAQMAAABJtOi3AAAABlBMVEX///9rOh7O5hSlAAAAYUlEQVR42l3OsQnAIBQE0JMUlo7gDJnA0eIAgaxk99cQ/gKms5BcPggWXvHgqjtgi2vGOQylNWXGoSzwyjoJyjaJLztiX4zL+JLBuHg6AqVNPKVODkqBo2SAYmvpNkLe7/wjtzxJ9cs16AAAAABJRU5ErkJggg==',
};
const BODY = {
  resources: [
    { title: 'Pictures', text: null, url: `${PROGRAM.siteUrl}press` },
    { title: 'A text for a newsletter', text: 'I drink this coffee every morning.\nYou may like it:', url: null },
  ],
};
const list = (body: { readonly resources: readonly unknown[] }) =>
  asReceived(toResourcesData(PROGRAM.id, parseResourcesBody(body)));
const FOUND = {
  description: 'The resources, in the order of the list.',
  schema: RESOURCES_DATA,
  examples: { none: example('No resource', list({ resources: [] })) },
} as const;

/** Documents the operations on what a program shows its advocates. */
export const BRAND_OPERATIONS: Operations<typeof BRAND_ROUTES> = {
  putLogo: {
    summary: 'Upload the logo',
    description:
      'Replaces the logo, which the pages show to advocates. SVG is refused, because it can contain scripts. The program, and so `logo_version`, changes within 30 seconds. The request can safely be repeated, and a repetition completes a request that was interrupted.',
    body: { schema: LOGO_BODY, parse: parseLogoBody, examples: { bean: example('A small PNG', LOGO) } },
    successes: {
      200: {
        description: 'The logo.',
        schema: LOGO_DATA,
        examples: { bean: example('A small PNG', asReceived(toLogoData(PROGRAM.id, parseLogoBody(LOGO)))) },
      },
    },
  },
  deleteLogo: {
    summary: 'Delete the logo',
    description: 'Deletes the logo. The request can safely be repeated.',
    successes: { 204: { description: 'The program has no logo, because of this request or an earlier one.' } },
  },
  getLogo: {
    summary: 'Get the logo',
    description:
      'Returns the logo of a program as a picture, for anyone who knows the public key. A page adds the `logo_version` to the address as `v`, because browsers keep the picture for an hour.',
    query: { schema: LOGO_QUERY, parse: parseLogoQuery },
    successes: {
      200: {
        description: 'The picture.',
        headers: ['CachedForAnHour', 'NoSniff'],
        type: LOGO_TYPES,
        schema: { type: 'string', format: 'binary' },
      },
    },
    errors: ['logo_not_found'],
  },
  putResources: {
    summary: 'Replace the resources',
    description:
      'Replaces the whole list of texts and addresses that the program gives its advocates to share. The request can safely be repeated.',
    body: {
      schema: RESOURCES_BODY,
      parse: parseResourcesBody,
      examples: { two: example('An address and a text', BODY) },
    },
    successes: {
      200: {
        description: 'The resources.',
        schema: RESOURCES_DATA,
        examples: { two: example('An address and a text', list(BODY)) },
      },
    },
  },
  getResources: {
    summary: 'Get the resources',
    description: 'Returns the texts and addresses that the program gives its advocates to share.',
    successes: { 200: FOUND },
  },
  getOwnResources: {
    summary: 'Get the resources (affiliate)',
    description: 'Returns the texts and addresses that the program gives its advocates to share.',
    successes: { 200: FOUND },
  },
};
