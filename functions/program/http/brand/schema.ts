import type { JSONSchema } from 'json-schema-to-ts';
import { NULLABLE_TEXT, textUpTo } from '../../../kernel/fields/schemas.ts';
import { MAX_URL } from '../../../kernel/fields/urls.ts';
import { dataOf, exact, resource } from '../../../kernel/http/schema.ts';
import { BASE64_PATTERN, LOGO_VERSION_PATTERN, MAX_BASE64, MAX_LOGO } from '../../rules/logo.ts';
import { MAX_RESOURCE_TEXT, MAX_RESOURCES, MAX_TITLE } from '../../rules/resources.ts';

export const LOGO_BODY = {
  type: 'object',
  required: ['image'],
  properties: {
    image: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_BASE64,
      pattern: BASE64_PATTERN,
      description: `A PNG, JPEG or WebP picture of at most ${MAX_LOGO} KiB, in base64. Its first bytes decide its type.`,
    },
  },
} as const satisfies JSONSchema;

const PROGRAM_ID = { type: 'string', description: 'The id of the program.' } as const;

export const LOGO = /* @__PURE__ */ resource(
  'logo',
  {
    logo_version: { type: 'string', pattern: LOGO_VERSION_PATTERN, description: 'Changes with the picture.' },
    media_type: { type: 'string', description: '`image/png`, `image/jpeg` or `image/webp`.' },
  },
  PROGRAM_ID,
);
export const LOGO_DATA = /* @__PURE__ */ dataOf(LOGO);

export const LOGO_QUERY = {
  type: 'object',
  properties: {
    v: {
      type: 'string',
      pattern: LOGO_VERSION_PATTERN,
      description:
        'The `logo_version`. It does not change the response: with it, a browser asks again after another upload.',
    },
  },
} as const satisfies JSONSchema;

export const RESOURCES_BODY = {
  type: 'object',
  required: ['resources'],
  properties: {
    resources: {
      type: 'array',
      maxItems: MAX_RESOURCES,
      items: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { ...textUpTo(MAX_TITLE), description: 'What advocates see in the list.' },
          text: {
            type: ['string', 'null'],
            maxLength: MAX_RESOURCE_TEXT,
            description: `Plain text to share, in one or more lines: at most ${MAX_RESOURCE_TEXT} characters.`,
          },
          url: {
            type: ['string', 'null'],
            maxLength: MAX_URL,
            description: 'An http or https address, such as of pictures to download.',
          },
        },
      },
      description: `At most ${MAX_RESOURCES} resources, in the order in which advocates see them. The list is replaced as a whole; \`[]\` clears it.`,
      examples: [
        [
          { title: 'Banners', url: 'https://example.com/banners.zip' },
          { title: 'Newsletter', text: 'I drink this every morning.' },
        ],
      ],
    },
  },
} as const satisfies JSONSchema;

export const RESOURCES = /* @__PURE__ */ (() =>
  resource(
    'resources',
    {
      resources: {
        type: 'array',
        items: exact({ title: { type: 'string' }, text: NULLABLE_TEXT, url: NULLABLE_TEXT }),
      },
    },
    PROGRAM_ID,
  ))();
export const RESOURCES_DATA = /* @__PURE__ */ dataOf(RESOURCES);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = { logoBody: LOGO_BODY, logoQuery: LOGO_QUERY, resourcesBody: RESOURCES_BODY };
