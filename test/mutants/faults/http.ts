import type { Faults } from '../table.ts';

export const HTTP: Faults = {
  'functions/http/authentication.ts': [
    ["if (!listsOrigin(program, origin)) throw new ServiceError('forbidden', WRONG_ORIGIN);", '', 'unit/http/authentication'],
    ["access === 'anyone' || caller.kind === 'page' || caller.kind === access.token", "access === 'anyone' || caller.kind !== 'anyone'", 'unit/http/authentication'],
    ['([!-~]+)$/i', '([!-~]+)$/', 'unit/http/authentication'],
    ['access.publicKey && authorization === undefined', 'authorization === undefined', 'unit/http/authentication'],
    ['access.publicKey && authorization === undefined', 'access.publicKey', 'unit/http/authentication'],
  ],
  'functions/http/body.ts': [
    ['bytes.byteLength > MAX_BODY', 'bytes.byteLength >= MAX_BODY', 'unit/http/body'],
    ['fatal: true', 'fatal: false', 'unit/http/body'],
    ["if (text.startsWith('\\ufeff')) throw", "if (text === '') throw", 'unit/http/body'],
    ['(plainText && TEXT_TYPE.test(type))', 'TEXT_TYPE.test(type)', 'unit/http/body'],
    ["if (optionalBody && BLANK", 'if (BLANK', 'unit/http/body'],
  ],
  'functions/http/errors.ts': [
    ['String(cause.code) : cause?.name', 'String(cause.code) : cause?.message', 'unit/http/errors'],
    ['.filter((line) => /^\\s+at /.test(line))', '', 'unit/http/errors'],
    ['if (STATUS[code] >= 500) logFailure', 'if (STATUS[code] > 500) logFailure', 'unit/http/errors'],
    ["new ServiceError('internal', INTERNAL, { cause })", "new ServiceError('internal', String(cause), { cause })", 'unit/http/errors'],
    ["{ 'retry-after': '1' }", '{}', 'unit/http/errors'],
  ],
  'functions/http/list.ts': [
    [' || fingerprint !== fingerprintOf(list)', '', 'unit/http/list'],
    [' || !isCanonical', '', 'unit/http/list'],
    ['(paging.page - 1) * paging.perPage', 'paging.page * paging.perPage', 'unit/http/list'],
    ['${page + 1}.', '${page}.', 'unit/http/list'],
    ['if (page !== undefined && cursor !== undefined) throw', 'if (page === 0) throw', 'unit/http/list'],
    ['has_more: next !== undefined', 'has_more: data.length > 0', 'unit/http/list'],
  ],
  'functions/http/response.ts': [
    ["'content-type': 'application/json', 'cache-control': 'no-store'", "'content-type': 'application/json'", 'api/tracking/conversion.test'],
    ['url.host = event.requestContext.domainName;', '', 'unit/http/list'],
  ],
  'functions/advocates/program/handlers.ts': [
    ['const program = await findProgram(table, known.id);', 'const program = known;', 'api/program/program'],
  ],
  'functions/http/route-handler.ts': [
    [' - RESERVED_FOR_RESPONSE', '', 'unit/http/errors'],
    ["if (!handler) throw new Error('The route belongs to another function.');", 'if (!handler) return Promise.resolve({ statusCode: 404 });', 'unit/http/errors'],
  ],
  'functions/http/validation.ts': [
    ["if (values.has(name)) throw new InvalidField(name, 'must be given only once');", '', 'unit/http/validation'],
    [" && value !== '')", ')', 'unit/tracking/conversion'],
    ['[1-9]\\d{0,14})$/', '\\d{1,15})$/', 'unit/http/validation'],
    ["if (value === undefined) throw new InvalidField(name, 'is not valid percent-encoded UTF-8');", "if (value === undefined) continue;", 'unit/http/validation'],
    ['  assertKnown(event, Object.keys(schema.properties));\n', '', 'unit/http/validation'],
    ['!== undefined && PARAMETER_NAME.test(each)', '!== undefined', 'api/bad-queries'],
    ['distance <= name.length / 3', 'distance <= name.length', 'unit/http/validation'],
  ],
  'functions/routes.ts': [
    ["path: '/v2/tracking/erase',\n    function: 'tracking',\n    access: { token: 'program', scope: 'track' }", "path: '/v2/tracking/erase',\n    function: 'tracking',\n    access: { token: 'program', scope: 'track', publicKey: true }", 'documents/openapi/openapi documents the token'],
    ["path: '/v1/advocates',\n    function: 'advocates',\n    access: { token: 'program', scope: 'read' }", "path: '/v1/advocates',\n    function: 'advocates',\n    access: { token: 'program', scope: 'read', publicKey: true }", 'documents/openapi/openapi documents the token'],
  ],
  'functions/tracking/handlers.ts': [
    ["idempotent: kind === 'page' ? undefined : idempotentRequest(route, event)", 'idempotent: idempotentRequest(route, event)', 'api/tracking/conversion-page'],
    ['.catch(refusals.hidden(program.id))', '', 'api/tracking/conversion-page'],
    ["parseConversionV2(body, kind === 'page')", 'parseConversionV2(body)', 'api/tracking/conversion.test'],
    ["replayed ? { 'idempotent-replayed': 'true' } : {}", '{}', 'api/tracking/conversion.test'],
    ['return !userAgent || ', 'return ', 'unit/tracking/conversion'],
    [", 'x-moz']", ']', 'unit/tracking/conversion'],
    [' || isbot(userAgent)', '', 'unit/tracking/conversion'],
    ["actor: 'page', ...input", "actor: 'merchant', ...input", 'api/tracking/conversion-page'],
  ],
  'functions/tracking/mapping.ts': [
    ["slug: parseSlug('affiliate_slug', affiliate_slug), clickId", "slug: click?.slug ?? parseSlug('affiliate_slug', affiliate_slug), clickId", 'unit/tracking/conversion'],
    ['clickId: click?.clickId ?? null', 'clickId: null', 'unit/tracking/conversion'],
    ['if (gr_id !== undefined) return parseGrId(gr_id);', 'if (gr_id !== undefined && pk === undefined) return parseGrId(gr_id);', 'unit/tracking/conversion'],
  ],
  'functions/tracking/static-file.ts': [
    ["known.includes('*') || ", '', 'api/tracking/pages'],
    [' && !/^q=0(?:\\.0*)?$/.test(weight)', '', 'api/tracking/pages'],
  ],
  'functions/referrals/handlers.ts': [
    ['const list = [name, program.id, slug, filters];', 'const list = [name, program.id, filters];', 'api/referrals/lists'],
    ['const list = [name, program.id, slug, filters];', 'const list = [name, slug, filters];', 'api/referrals/lists'],
  ],
  'functions/advocates/mapping.ts': [
    ['company: hasCompany ? company : name', 'company: company ?? name', 'unit/mapping'],
    ['seconds(now + (lifetime ??', 'seconds(now + 2 * (lifetime ??', 'api/advocates/tokens'],
    ['if (latest === null || end <= latest) return end;', 'if (latest !== undefined) return end;', 'api/advocates/tokens'],
  ],
  'functions/advocates/handlers.ts': [
    ["makeToken('affiliate', table.random)", "makeToken('program', table.random)", 'api/advocates/tokens'],
    ['const list = [name, program.id, createdAt,', 'const list = [name, createdAt,', 'api/advocates/advocates'],
  ],
  'functions/http/edge.ts': [
    ["if (!(await hasSent(value))) throw new ServiceError('not_through_edge', NOT_THROUGH_EDGE);", 'await hasSent(value);', 'api/edge'],
    ['{ ...requestContext, domainName }', 'requestContext', 'api/edge'],
    ['...request.event, headers, request', '...request.event, request', 'unit/http/edge'],
  ],
};
