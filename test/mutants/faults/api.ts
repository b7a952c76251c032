import type { Faults } from '../table.ts';

export const API: Faults = {
  'functions/advocates/http/handlers.ts': [
    ['...(search === undefined ? [] : [search])', '', 'advocates/api/advocates'],
  ],
  'functions/kernel/http/authentication.ts': [
    ['if (!token.scopes.includes(scope)) throw new MissingScope(scope);', '', 'program/api'],
    ["if (!listsOrigin(program, origin)) throw new ServiceError('forbidden', WRONG_ORIGIN);", '', 'kernel/unit/http/authentication'],
    ['return caller.kind === access.token;', "return caller.kind !== 'anyone';", 'kernel/unit/http/authentication'],
    ['([!-~]+)$/i', '([!-~]+)$/', 'kernel/unit/http/authentication'],
  ],
  'functions/stripe/rules/parse-money.ts': [
    ["net - (wholeAt(invoice, 'amount_shipping') ?? 0)", 'net', 'stripe/unit/stripe-event'],
  ],
  'functions/stripe/http/event-handler.ts': [
    ['if (!(await isSigned()) && !(await isSigned(SECRETS_AGE))) throw invalid();', '', 'stripe/api/stripe'],
    ['body.byteLength > MAX_EVENT || ', '', 'stripe/api/stripe'],
  ],
  'functions/stripe/rules/signature.ts': [
    ['const TOLERANCE = 300;', 'const TOLERANCE = 3000;', 'stripe/unit/stripe-signature'],
    ['.update(`${signed.time}.`)', '', 'stripe/unit/stripe-signature'],
  ],
  'functions/stripe/rules/parse-event.ts': [
    [" && isPositive(valueAt(object, 'amount_total'))", '', 'stripe/unit/stripe-event'],
    ["onRefund === 'reject' && ", '', 'stripe/unit/stripe-event'],
    ["if (Object.values(customer).every((reference) => reference === null)) return 'no_identity';", '', 'stripe/unit/stripe-event'],
  ],
  'functions/kernel/secrets/parameter-store.ts': [
    ["Type: 'SecureString'", "Type: 'String'", 'kernel/unit/secrets/parameter-store'],
  ],
  'functions/kernel/secrets/edge-secret.ts': [
    ['isOneOf(sent, known) || isOneOf(sent, await load())', 'isOneOf(sent, known)', 'edge/unit/edge'],
    ['if (value === undefined) return false;', 'if (value === undefined) return true;', 'edge/unit/edge'],
    ['values.map((value) => timingSafeEqual(sent, value)).includes(true)', 'values.some((value) => timingSafeEqual(sent, value))', 'kernel/unit/secrets/edge-secret'],
  ],
  'functions/kernel/http/body.ts': [
    ['bytes.byteLength > limit * 1024', 'bytes.byteLength >= limit * 1024', 'kernel/unit/http/body'],
    ['(largeBody ? 96 : 16)', '(largeBody ? 96 : 96)', 'kernel/unit/http/body'],
  ],
  'functions/kernel/http/errors.ts': [
    ['String(cause.code) : cause?.name', 'String(cause.code) : cause?.message', 'kernel/unit/http/errors'],
    ["new ServiceError('internal', INTERNAL, { cause })", "new ServiceError('internal', String(cause), { cause })", 'kernel/unit/http/errors'],
  ],
  'functions/kernel/http/list.ts': [
    [' || fingerprint !== fingerprintOf(list)', '', 'kernel/unit/http/list'],
    ['(paging.page - 1) * paging.perPage', 'paging.page * paging.perPage', 'kernel/unit/http/list'],
  ],
  'functions/kernel/http/validation.ts': [
    ["if (values.has(name)) throw new InvalidField(name, 'must be given only once');", '', 'kernel/unit/http/validation'],
    ['  assertKnown(event, Object.keys(schema.properties));\n', '', 'kernel/unit/http/validation'],
  ],
  'functions/tracking/http/routes.ts': [
    ["path: '/v2/tracking/erase',\n    function: 'tracking',\n    access: { token: 'program', scope: 'track' }", "path: '/v2/tracking/erase',\n    function: 'tracking',\n    access: { token: 'program', scope: 'track', publicKey: true }", 'documents/openapi/openapi'],
  ],
  'functions/kernel/http/route.ts': [
    ["    'idempotency-key',\n    'mcp", "    'mcp", 'documents/openapi/openapi'],
  ],
  'functions/tracking/http/handlers.ts': [
    ["idempotent: kind === 'page' ? undefined : idempotentRequest(route, event)", 'idempotent: idempotentRequest(route, event)', 'tracking/api/conversion-page'],
    ['.catch(refusals.hidden(program.id, hasCode))', '', 'tracking/api/conversion-page'],
    ["parseConversionV2(body, kind === 'page')", 'parseConversionV2(body)', 'tracking/api/conversion.test'],
    ["replayed ? { 'idempotent-replayed': 'true' } : {}", '{}', 'tracking/api/conversion.test'],
  ],
  'functions/referrals/http/handlers.ts': [
    ['const list = [name, program.id, slug, filters];', 'const list = [name, program.id, filters];', 'referrals/api/lists'],
  ],
  'functions/advocates/http/mapping.ts': [
    ['if (latest === null || end <= latest) return end;', 'if (latest !== undefined) return end;', 'advocates/api/tokens'],
    ['...visibleAccount(token, advocate)', '', 'advocates/api/payout-account'],
    ["requireScopeFor(caller, 'payouts', PAYOUT_NAMES, json);", '{}', 'advocates/api/payout-account'],
  ],
  'functions/program/http/mapping.ts': [
    [' || setsAny(OTHER_NAMES, json)', '', 'advocates/api/payout-account'],
  ],
  'functions/program/http/brand/mapping.ts': [
    ["      'x-content-type-options': 'nosniff',\n", '', 'program/api/brand'],
    ['isBase64Encoded: true', 'isBase64Encoded: false', 'program/api/brand'],
  ],
  'functions/program/rules/logo.ts': [
    ['!mediaType || bytes.byteLength > MAX_LOGO * 1024', '!mediaType', 'program/api/brand'],
    ["start.startsWith('RIFF') && start.endsWith('WEBP')", "start.startsWith('RIFF')", 'program/api/brand'],
  ],
  'functions/kernel/fields/urls.ts': [
    ['!/^https?:$/.test(url.protocol) || ', '', 'program/api/brand'],
  ],
  'functions/kernel/http/edge.ts': [
    ["if (!(await hasSent(value))) throw new ServiceError('not_through_edge', NOT_THROUGH_EDGE);", 'await hasSent(value);', 'edge/thorough/edge'],
  ],
  'functions/webhooks/http/webhooks.ts': [
    ['if (isUnseen) await secrets.remove(owner, [secret]).catch(() => undefined);', '', 'command-line/commands/webhook'],
    ['if (!(await webhooks.findWebhook(table, program, webhook.id))) {', "if (webhook.id === '') {", 'webhooks/api/webhooks'],
  ],
  'functions/webhooks/http/past-events.ts': [
    ['if (rows > limits.rows) throw new ReplayTooLarge();', '', 'webhooks/thorough/replay-limits'],
    ['if (lastSecond - setAt.from > limits.period) throw new ReplayTooLarge();', '', 'webhooks/api'],
    ['pending = pending.filter((_, index) => failed.has(index));', 'pending = [];', 'webhooks/thorough/replay-limits'],
    ['to && to.second < from.second', 'to && to.second < 0', 'webhooks/api'],
  ],
  'functions/ledger/http/reads/handlers.ts': [
    ['throw new InvalidAffiliate();\n        return found;', 'return found;\n        return found;', 'ledger/api/reads'],
    ['{ ...input.referral, slug }', 'input.referral', 'ledger/api/reads'],
  ],
  'functions/statistics/http/mapping.ts': [
    ['if (slugs && new Set(slugs).size < slugs.length) throw new InvalidAffiliate();', '', 'statistics/api/statistics'],
  ],
  'functions/ledger/http/entry.ts': [
    ['payment_id: null, refund_id: null,', 'refund_id: null,', 'ledger/api/reads'],
    ["attributes.settlement_id?.startsWith('import:') ? null : attributes.settlement_id", 'attributes.settlement_id', 'referrals/unit/mapping'],
  ],
  'functions/referrals/http/mapping.ts': [
    ['if (paging.page !== 1)', 'if (paging.page === 0)', 'referrals/api'],
  ],
  'functions/tracking/http/refusals.ts': [
    [' || (hasCode && isOfCode)', '', 'codes/api/conversions'],
    ["if (kind === 'page') return;", '', 'explain/api/explain'],
  ],
};
