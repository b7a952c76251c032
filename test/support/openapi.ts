import { openapiDocument } from '../../bin/generate/openapi.ts';
import { type OperationId, ROUTES } from '../../functions/routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look into every corner of the document.
type Anything = any;

export const DOCUMENT: Anything = openapiDocument();

/** Returns an operation of the document, with the components that it refers to in their place, except schemas. */
export function operationOf(id: OperationId): Anything {
  const { path, method } = ROUTES[id];
  return resolved(DOCUMENT.paths[path][method.toLowerCase()]);
}

function resolved(part: Anything): Anything {
  if (Array.isArray(part)) return part.map(resolved);
  if (typeof part !== 'object' || part === null) return part;
  const { $ref = '', ...own } = part;
  const [, kind = '', name = ''] = /^#\/components\/(?!schemas)(\w+)\/(\w+)$/.exec($ref) ?? [];
  if (kind !== '') return { ...resolved(DOCUMENT.components[kind][name]), ...own };
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value)]));
}
