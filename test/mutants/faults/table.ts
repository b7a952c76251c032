import type { Faults } from '../table.ts';

export const TABLE: Faults = {
  'functions/ledger/table/sums.ts': [
    ['positionOf(item) < settled', 'true', 'table/ledger/sums'],
    ['SETTLED_AFTER = 60', 'SETTLED_AFTER = 10', 'table/ledger/sums'],
  ],
  'functions/ledger/table/payments.ts': [
    ['paidAt >= stateSetAt)', 'paidAt > stateSetAt)', 'table/ledger/payments'],
  ],
  'functions/ledger/table/settlements.ts': [
    ['`${name} = :seen`', '`${name} >= :seen`', 'table/ledger/claimed-entries'],
    ['`attribute_not_exists(${name})`', "'attribute_not_exists(none)'", 'table/ledger/claimed-entries'],
  ],
  'functions/ledger/table/new-payment.ts': [
    ['links.length > (storedPayment(item) ? 0 : LINKS_AT_ONCE)', 'links.length > LINKS_AT_ONCE', 'table/ledger/stripe/many'],
  ],
  'functions/stripe/table/report.ts': [
    ['!(waiting && isChanged(waiting))', 'true', 'table/ledger/stripe/events'],
  ],
  'functions/kernel/dynamodb/keys.ts': [
    ['PROGRAM#${program}#EMAIL#${hash(email)}', 'PROGRAM#EMAIL#${hash(email)}', 'unit/table/keys'],
    ['hash(`${route}\\n${key}`)', 'hash(key)', 'unit/table/keys'],
    ['hash(email)', 'email', 'command-line/commands/erase'],
  ],
  'functions/advocates/table/advocates.ts': [
    ["if (failed.has('uid')) throw new UidTaken();", '', 'table/advocates/create'],
    ['toAdvocateItem(program, after), unchangedSince(before)', "toAdvocateItem(program, after), notExistsOrSame('sk', 'ADVOCATE')", 'table/advocates/update'],
    ['toAdvocateItem(program, advocate), NOT_EXISTS', "toAdvocateItem(program, advocate), notExistsOrSame('sk', 'ADVOCATE')", 'table/advocates/create'],
  ],
  'functions/webhooks/table/attempts.ts': [
    ['if (!before || !isEnabled(before))', 'if (!before)', 'table/webhooks/failing'],
    ["disabledReason === 'gone' ? enabledBefore(startedAt) : failingStill(before)", 'failingStill(before)', 'table/webhooks/failing'],
    ['enabled = :enabled AND ${isSame}', 'enabled = :enabled OR ${isSame}', 'table/webhooks/failing'],
  ],
  'functions/kernel/accounts/table/callers.ts': [
    ['expiresAt * 1000 > clock()', 'expiresAt > 0', 'table/callers/tokens'],
    ['!found || found.advocate.erasedAt !== null', '!found', 'api/advocates/changes'],
    ['if (found.advocate.tokensRevokedAt !== token.advocateTokensRevokedAt) return undefined;', '', 'table/callers/tokens'],
    ['(cheap.advocate.tokensRevokedAt ?? 0) < (token.advocateTokensRevokedAt ?? 0)', 'cheap.advocate.erasedAt === 0', 'table/faults/stale-reads'],
    ['(await get(table, key, { consistent: false })) ?? (await get(table, key))', 'await get(table, key, { consistent: false })', 'table/faults/stale-reads'],
  ],
  'functions/kernel/accounts/table/tokens.ts': [
    ['if_not_exists(revoked_at, :now)', ':now', 'command-line/table/update-program'],
    ['...tokenKey(hashToken(token))', '...tokenKey(token)', 'table/callers/tokens'],
    ['if (item && parseToken(item).revokedAt === null) return;', 'if (item) return;', 'table/callers/tokens'],
  ],
  'functions/webhooks/table/webhooks.ts': [
    ['(await list()).filter(isEnabled)', 'await list()', 'table/webhooks/webhooks'],
  ],
  'functions/kernel/dynamodb/connection.ts': [
    ['throwOnRequestTimeout: true }', 'throwOnRequestTimeout: false }', 'table/faults/timeouts'],
    ['const MAX_ATTEMPTS = 3;', 'const MAX_ATTEMPTS = 1;', 'table/faults/lost-responses'],
  ],
  'functions/kernel/dynamodb/page.ts': [
    ['const wanted = size + 1;', 'const wanted = size;', 'table/lists/paging-advocates'],
    ['after !== undefined && after < end ?', 'after !== undefined ?', 'sequences/paging'],
    ['rows.length > size ? items.at(-1) : undefined', 'items.at(-1)', 'table/lists/paging-advocates'],
  ],
  'functions/kernel/dynamodb/put-new.ts': [
    ['return !failed || isOwn(failed);', 'return !failed;', 'table/clicks/clicks'],
    ["'created' in item && stored?.['created'] === item['created']", "'created' in item && stored !== undefined", 'table/faults/failed-conditions'],
  ],
  'functions/kernel/dynamodb/conditions.ts': [
    ["  ConditionExpression: 'attribute_not_exists(pk)',", "  ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(pk)',", 'table/conversions/customers'],
    [') AND (${other', ') OR (${other', 'table/states/states'],
    ['allowed.absent ? `${NOT_EXISTS.ConditionExpression} OR ${isSame}` : isSame', '`${NOT_EXISTS.ConditionExpression} OR ${isSame}`', 'table/faults/failed-conditions'],
  ],
  'functions/kernel/dynamodb/table.ts': [
    ['if (left <= 0) throw new Unavailable();', '', 'table/faults/faults'],
    ['consistent = true } = {}): Promise<Item | undefined>', 'consistent = false } = {}): Promise<Item | undefined>', 'table/faults/stale-reads'],
    ['error instanceof DynamoDBServiceException && !FAILED_WRITES.has(error.name)', 'error instanceof DynamoDBServiceException && error.name === undefined', 'table/events/deliver'],
  ],
  'functions/kernel/dynamodb/writes.ts': [
    ['ClientRequestToken: token }', 'ClientRequestToken: requestToken(table.random) }', 'table/faults/transactions'],
    ['if (transient) return { conflict: error,', 'if (transient?.Code === "") return { conflict: error,', 'table/faults/transactions'],
    ['|| !first.isRepeated) return first;', ') return first;', 'table/faults/transactions'],
    ['wasRepeated ||= isRepeated(error);', '', 'table/faults/lost-responses'],
  ],
  'functions/tracking/table/clicks.ts': [
    ['return target?.active ?', 'return target ?', 'table/clicks/clicks'],
    ["if (isAutomatic) return 'ignored';", '', 'api/tracking/click'],
    ['createdAt === click.createdAt && advocateSlug', 'advocateSlug', 'table/clicks/clicks'],
  ],
  'functions/tracking/table/conversions.ts': [
    ['if (isValidRecord(record, now)) return replay(record, conversion);', '', 'table/conversions/idempotency'],
    [' || isForeign) throw', ') throw', 'table/conversions/customers'],
    ['  if (record) return replay(record, conversion);', '', 'table/conversions/idempotency', 'The transaction then fails on the record, and replays it.'],
    ["if (failed.has('customer')) throw new ReferralExists();", '', 'table/conversions/customers'],
    ["if (required(record, 'fingerprint', text) !== conversionFingerprint(conversion)) throw new IdempotencyKeyReused();", '', 'table/conversions/idempotency'],
    ['if (click && isConvertible(click, target, now))', 'if (click)', 'table/conversions/click'],
    ["convertClick(click, fields), 'clicked')", 'convertClick(click, fields), null)', 'table/conversions/click'],
  ],
  'functions/referrals/table/customers.ts': [
    ['if (ids.size > 1) throw new AmbiguousCustomer();', '', 'table/lookup/lookup'],
    ['if (!referral || !isOf(referral, reference))', 'if (!referral)', 'table/lookup/lookup'],
  ],
  'functions/tracking/table/idempotency-record.ts': [
    ['OR expires_at <= :now', 'OR expires_at < :now', 'table/conversions/idempotency'],
    ['OR expires_at <= :now', 'OR expires_at <= :now OR attribute_exists(pk)', 'table/faults/failed-conditions'],
  ],
  'functions/stripe/table/apply-event.ts': [
    ['byUid ?? byProvider', 'byProvider ?? byUid', 'table/payments/matching'],
    ['created: isValidRecord(checkout, now) ? checkout : undefined', 'created: checkout', 'table/payments/matching'],
    ['if (found.claimed !== undefined && isErased(before)) return { conflict: undefined };', '', 'table/payments/races'],
    ['toReferralItem(program.id, after), unchangedSince(before)', "toReferralItem(program.id, after), notExistsOrSame('sk', 'REFERRAL')", 'table/payments/races'],
    ['referral: after.id }, NOT_EXISTS)', "referral: after.id }, notExistsOrSame('sk', 'CLAIM'))", 'table/payments/races'],
    ["...dropped.map((name) => deleteWrite('claim', keyOf(name), notExistsOrSame('referral', after.id))),", '', 'table/payments/conversions'],
  ],
  'functions/referrals/table/referral-item.ts': [
    ['owner: clicked ? null : keys', 'owner: keys', 'table/clicks/clicks'],
  ],
  'functions/referrals/table/referrals.ts': [
    ['referral: referral.id }, NOT_EXISTS)', "referral: referral.id }, notExistsOrSame('sk', 'CLAIM'))", 'table/conversions/customers'],
    ['condition ? both(condition, isUnchanged) : isUnchanged', "condition ?? notExistsOrSame('sk', 'REFERRAL')", 'simulation/simulation'],
    [' || (failed.item !== undefined && includesChange(parseReferral(failed.item), before, after))', '', 'table/faults/lost-responses'],
    ["...claimKeys(program, { email, uid }).map((key) => remove('claim', key)),", '', 'command-line/commands/erase'],
    ["...(stripe?.customers ?? []).map((name) => remove('claim', stripeCustomerKey(program, name))),", '', 'table/payments/matching'],
    ['if (idempotencyRecord !== null) {', "if (idempotencyRecord === '') {", 'api/tracking/changes'],
    ["deleteWrite(name, key, notExistsOrSame('referral', id))", "deleteWrite(name, key, notExistsOrSame('sk', 'CLAIM', 'IDEMPOTENCY'))", 'command-line/commands/erase'],
    ['toReferralItem(program, after), unchangedSince(before)),', "toReferralItem(program, after), notExistsOrSame('sk', 'REFERRAL')),", 'table/reassign/reassign'],
    ['if (!target?.active) throw new InvalidAffiliate();', 'if (!target) throw new InvalidAffiliate();', 'table/reassign/reassign'],
  ],
  'functions/program/table/program-changes.ts': [
    ['EXISTS.ConditionExpression} AND attribute_not_exists(revoked_at)', 'EXISTS.ConditionExpression}', 'api/program'],
    ['#program.version < :version', '#program.version > :version', 'command-line/table/update-program'],
    ['await Promise.all(stored.newTokens.map(tokenKey).map(replace));', '', 'command-line/table/update-program'],
  ],
  'functions/statistics/table/count.ts': [
    ['position === undefined || sequence > position', 'position === undefined || sequence >= position', 'table/statistics/count'],
  ],
  'functions/ledger/table/entry-claims.ts': [
    ['entry.advocateSlug !== slug || !isSame(entry)', '!isSame(entry)', 'table/ledger/claimed-entries'],
  ],
  'functions/ledger/table/entry-pages.ts': [
    ['(currency === undefined || entry.currency === currency)', 'true', 'api/referrals/ledger'],
  ],
  'functions/ledger/table/waiting.ts': [
    ['expiry !== null && expiry <= now', 'expiry !== null && expiry < 0', 'table/ledger/stripe'],
  ],
  'functions/referrals/table/program-list.ts': [
    ['[first]) => first ?? [],', 'all) => all,', 'table/lists/program-list'],
  ],
};
