import type { Faults } from '../table.ts';

export const TABLE: Faults = {
  'functions/ledger/table/payout-runs.ts': [
    ['amount: -commission, id', 'amount: Number(payable), id', 'command-line/commands/payout-run'],
    ['error instanceof BalanceChanged || ', '', 'command-line/commands/payout-run'],
    ['...money, settlementCount }', '...money }', 'command-line/commands/payout-run'],
    ['advocateSlug !== slug', "advocateSlug === ''", 'command-line/commands/payout-run'],
    ['.includes(undefined)) throw new InvalidAffiliate();', '.includes(undefined)) {}', 'ledger/api/payout-runs'],
  ],
  'functions/ledger/table/entries.ts': [
    ['revenue: amount ?? 0', "revenue: kind === 'refund' ? 0 : (amount ?? 0)", 'ledger/table/payments'],
    ["payments: kind === 'payment' ? 1 : 0", 'payments: 1', 'ledger/table/payments'],
  ],
  'functions/ledger/table/balances.ts': [
    ['balance.balance !== 0n', 'balance', 'ledger/api/balances'],
  ],
  'functions/advocates/table/ranked.ts': [
    ['!known.has(slug)', 'true', 'advocates/api/ranked'],
  ],
  'functions/ledger/table/sums.ts': [
    ['positionOf(item) < settled', 'true', 'ledger/table/sums'],
    ['SETTLED_AFTER = 60', 'SETTLED_AFTER = 10', 'ledger/table/sums'],
  ],
  'functions/ledger/table/payments.ts': [
    ['paidAt >= stateSetAt)', 'paidAt > stateSetAt)', 'ledger/table/payments'],
  ],
  'functions/ledger/table/settlements.ts': [
    ['`${name} = :seen`', '`${name} >= :seen`', 'ledger/table/claimed-entries'],
    ['`attribute_not_exists(${name})`', "'attribute_not_exists(none)'", 'ledger/table/claimed-entries'],
  ],
  'functions/ledger/table/new-payment.ts': [
    ['links.length > (storedPayment(item) ? 0 : LINKS_AT_ONCE)', 'links.length > LINKS_AT_ONCE', 'stripe/thorough/many'],
  ],
  'functions/stripe/table/apply-to-payment.ts': [
    ['!(waiting && isChanged(waiting))', 'true', 'stripe/thorough/events'],
  ],
  'functions/kernel/dynamodb/keys.ts': [
    ['PROGRAM#${program}#EMAIL#${hash(email)}', 'PROGRAM#EMAIL#${hash(email)}', 'kernel/unit/dynamodb/keys'],
    ['hash(`${route}\\n${key}`)', 'hash(key)', 'kernel/unit/dynamodb/keys'],
    ['hash(email)', 'email', 'command-line/commands/erase'],
  ],
  'functions/advocates/table/advocates.ts': [
    ["if (failed.has('uid')) throw new UidTaken();", '', 'advocates/table/create'],
    ['toAdvocateItem(program, after), unchangedSince(before)', "toAdvocateItem(program, after), notExistsOrSame('sk', 'ADVOCATE')", 'advocates/table/update'],
    ['toAdvocateItem(program, advocate), NOT_EXISTS', "toAdvocateItem(program, advocate), notExistsOrSame('sk', 'ADVOCATE')", 'advocates/table/create'],
  ],
  'functions/webhooks/table/attempts.ts': [
    ['if (!before || !isEnabled(before))', 'if (!before)', 'webhooks/thorough/failing'],
    ["disabledReason === 'gone' ? enabledBefore(startedAt) : failingStill(before)", 'failingStill(before)', 'webhooks/thorough/failing'],
    ['enabled = :enabled AND ${isSame}', 'enabled = :enabled OR ${isSame}', 'webhooks/thorough/failing'],
  ],
  'functions/kernel/accounts/table/callers.ts': [
    ['expiresAt * 1000 > clock()', 'expiresAt > 0', 'kernel/table/tokens'],
    ['!found || found.advocate.erasedAt !== null', '!found', 'advocates/api/changes'],
    ['if (found.advocate.tokensRevokedAt !== token.advocateTokensRevokedAt) return undefined;', '', 'kernel/table/tokens'],
    ['(cheap.advocate.tokensRevokedAt ?? 0) < (token.advocateTokensRevokedAt ?? 0)', 'cheap.advocate.erasedAt === 0', 'kernel/thorough/stale-reads'],
    ['(await get(table, key, { consistent: false })) ?? (await get(table, key))', 'await get(table, key, { consistent: false })', 'kernel/thorough/stale-reads'],
  ],
  'functions/kernel/accounts/table/tokens.ts': [
    ['EXISTS.ConditionExpression} AND attribute_not_exists(revoked_at)', 'EXISTS.ConditionExpression}', 'program/api'],
    ['if_not_exists(revoked_at, :now)', ':now', 'command-line/operator/update-program'],
    ['...tokenKey(hashToken(token))', '...tokenKey(token)', 'kernel/table/tokens'],
    ['if (item && parseToken(item).revokedAt === null) return;', 'if (item) return;', 'kernel/table/tokens'],
  ],
  'functions/webhooks/table/webhooks.ts': [
    ['(await list()).filter(isEnabled)', 'await list()', 'webhooks/thorough/webhooks'],
  ],
  'functions/kernel/dynamodb/connection.ts': [
    ['throwOnRequestTimeout: true }', 'throwOnRequestTimeout: false }', 'kernel/thorough/timeouts'],
    ['const MAX_ATTEMPTS = 3;', 'const MAX_ATTEMPTS = 1;', 'kernel/thorough/lost-responses'],
  ],
  'functions/kernel/dynamodb/page.ts': [
    ['const wanted = size + 1;', 'const wanted = size;', 'advocates/thorough/paging-advocates'],
    ['after !== undefined && after < end ?', 'after !== undefined ?', 'sequences/paging'],
    ['rows.length > size ? items.at(-1) : undefined', 'items.at(-1)', 'advocates/thorough/paging-advocates'],
  ],
  'functions/kernel/dynamodb/put-new.ts': [
    ['return !failed || isOwn(failed);', 'return !failed;', 'tracking/table/clicks'],
    ["'created' in item && stored?.['created'] === item['created']", "'created' in item && stored !== undefined", 'kernel/table/failed-conditions'],
  ],
  'functions/kernel/dynamodb/conditions.ts': [
    ["  ConditionExpression: 'attribute_not_exists(pk)',", "  ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(pk)',", 'tracking/table/customers'],
    [') AND (${other', ') OR (${other', 'referrals/table/states'],
    ['allowed.absent ? `${NOT_EXISTS.ConditionExpression} OR ${isSame}` : isSame', '`${NOT_EXISTS.ConditionExpression} OR ${isSame}`', 'kernel/table/failed-conditions'],
  ],
  'functions/kernel/dynamodb/table.ts': [
    ['if (left <= 0) throw new Unavailable();', '', 'kernel/thorough/faults'],
    ['consistent = true } = {}): Promise<Item | undefined>', 'consistent = false } = {}): Promise<Item | undefined>', 'kernel/thorough/stale-reads'],
    ['error instanceof DynamoDBServiceException && !FAILED_WRITES.has(error.name)', 'error instanceof DynamoDBServiceException && error.name === undefined', 'webhooks/thorough/deliver'],
  ],
  'functions/kernel/dynamodb/writes.ts': [
    ['ClientRequestToken: token }', 'ClientRequestToken: requestToken(table.random) }', 'kernel/table/transactions'],
    ['if (transient) return { conflict: error,', 'if (transient?.Code === "") return { conflict: error,', 'kernel/table/transactions'],
    ['|| !first.isRepeated) return first;', ') return first;', 'kernel/table/transactions'],
    ['wasRepeated ||= isRepeated(error);', '', 'kernel/thorough/lost-responses'],
  ],
  'functions/tracking/table/clicks.ts': [
    ['if (!target?.active) return undefined;', 'if (!target) return undefined;', 'tracking/table/clicks'],
    ["if (isAutomatic) return 'ignored';", '', 'tracking/api/click'],
    ['createdAt === click.createdAt && advocateSlug', 'advocateSlug', 'tracking/table/clicks'],
  ],
  'functions/tracking/table/conversions.ts': [
    ['if (isValidRecord(record, now)) return replay(record, conversion);', '', 'tracking/table/idempotency'],
    ['attribution.publicKey === publicKey ? target : undefined', 'target', 'tracking/table/customers'],
    ['  if (record) return replay(record, conversion);', '', 'tracking/table/idempotency', 'The transaction then fails on the record, and replays it.'],
    ["if (failed.has('customer')) throw new ReferralExists();", '', 'tracking/table/customers'],
    ["if (required(record, 'fingerprint', text) !== conversionFingerprint(conversion)) throw new IdempotencyKeyReused();", '', 'tracking/table/idempotency'],
    ['if (click && isConvertible(click, credited.target, now))', 'if (click)', 'tracking/table/click'],
    ["convertClick(click, fields), 'clicked')", 'convertClick(click, fields), null)', 'tracking/table/click'],
  ],
  'functions/referrals/table/customers.ts': [
    ['if (ids.size > 1) throw new AmbiguousCustomer();', '', 'referrals/table/lookup'],
    ['if (!found || !isOf(found.referral, reference))', 'if (!found)', 'referrals/table/lookup'],
  ],
  'functions/tracking/table/idempotency-record.ts': [
    ['OR expires_at <= :now', 'OR expires_at < :now', 'tracking/table/idempotency'],
    ['OR expires_at <= :now', 'OR expires_at <= :now OR attribute_exists(pk)', 'kernel/table/failed-conditions'],
  ],
  'functions/stripe/table/credit-checkout.ts': [
    ['[link], codes)', '[link], codes.toReversed())', 'stripe/thorough/promotion-codes'],
  ],
  'functions/stripe/table/apply-to-referral.ts': [
    ['byUid ?? byProvider', 'byProvider ?? byUid', 'stripe/thorough/matching'],
    ['created: isValidRecord(checkout, now) ? checkout : undefined', 'created: checkout', 'stripe/thorough/matching'],
    ['if (found.claimed !== undefined && isErased(before)) return { conflict: undefined };', '', 'stripe/thorough/races'],
    ['toReferralItem(program.id, after), unchangedSince(before)', "toReferralItem(program.id, after), notExistsOrSame('sk', 'REFERRAL')", 'stripe/thorough/races'],
    ['referral: after.id }, NOT_EXISTS)', "referral: after.id }, notExistsOrSame('sk', 'CLAIM'))", 'stripe/thorough/races'],
    ["...dropped.map((name) => deleteWrite('claim', keyOf(name), notExistsOrSame('referral', after.id))),", '', 'stripe/thorough/conversions'],
  ],
  'functions/referrals/table/referral-item.ts': [
    ['owner: clicked ? null : keys', 'owner: keys', 'tracking/table/clicks'],
  ],
  'functions/referrals/table/referrals.ts': [
    ['      ...refusalKeysOf(program, { id, email, uid }).map(deleteAnyway),\n', '', 'referrals/table/refusals'],
    ['referral: referral.id }, NOT_EXISTS)', "referral: referral.id }, notExistsOrSame('sk', 'CLAIM'))", 'tracking/table/customers'],
    ['condition ? both(condition, isUnchanged) : isUnchanged', "condition ?? notExistsOrSame('sk', 'REFERRAL')", 'simulation/simulation'],
    [' || (failed.item !== undefined && includesChange(parseReferral(failed.item), before, after))', '', 'kernel/thorough/lost-responses'],
    ["...claimKeys(program, { email, uid }).map((key) => remove('claim', key)),", '', 'command-line/commands/erase'],
    ["...(provider?.customers ?? []).map((name) => remove('claim', stripeCustomerKey(program, name))),", '', 'stripe/thorough/matching'],
    ['if (idempotencyRecord !== null) {', "if (idempotencyRecord === '') {", 'tracking/api/changes'],
    ["deleteWrite(name, key, notExistsOrSame('referral', id))", "deleteWrite(name, key, notExistsOrSame('sk', 'CLAIM', 'IDEMPOTENCY'))", 'command-line/commands/erase'],
    ['toReferralItem(program, after), unchangedSince(before)),', "toReferralItem(program, after), notExistsOrSame('sk', 'REFERRAL')),", 'referrals/table/reassign'],
    ['if (!target?.active) throw new InvalidAffiliate();', 'if (!target) throw new InvalidAffiliate();', 'referrals/table/reassign'],
  ],
  'functions/program/table/program-changes.ts': [
    ['#program.version < :version', '#program.version > :version', 'command-line/operator/update-program'],
    ['await Promise.all(stored.newTokens.map(tokenKey).map(replace));', '', 'command-line/operator/update-program'],
    ['[write, ...others(before.program)]', '[write]', 'program/api/brand'],
  ],
  'functions/statistics/table/count.ts': [
    ['position === undefined || sequence > position', 'position === undefined || sequence >= position', 'statistics/thorough/count'],
    ['[null, addend.slug]', '[addend.slug]', 'statistics/thorough/count'],
    ['totalsKey(program, slug), attribute: moneyAttribute', 'totalsKey(program, null), attribute: moneyAttribute', 'statistics/thorough/count'],
  ],
  'functions/ledger/table/entry-claims.ts': [
    ['entry.advocateSlug !== slug || !isSame(entry)', '!isSame(entry)', 'ledger/table/claimed-entries'],
  ],
  'functions/ledger/table/entry-pages.ts': [
    ['(currency === undefined || entry.currency === currency)', 'true', 'ledger/api/reads'],
  ],
  'functions/ledger/table/waiting.ts': [
    ['expiry !== null && expiry <= now', 'expiry !== null && expiry < 0', 'stripe/thorough'],
  ],
  'functions/referrals/table/program-referrals.ts': [
    ['[first]) => first ?? [],', 'all) => all,', 'referrals/thorough/program-referrals'],
  ],
  'functions/explain/table/facts.ts': [
    ['if (!found || !isOf(found, reference))', 'if (!found)', 'explain/thorough/facts'],
  ],
  'functions/referrals/table/money.ts': [
    ['earlier === null ? undefined : hasPayments(earlier)', 'undefined', 'ledger/table/rules'],
  ],
  'functions/kernel/accounts/table/groups.ts': [
    ['group.name === name)) return;', 'group.name !== name)) return;', 'terms/api/groups'],
  ],
  'functions/terms/table/put-group.ts': [
    ['NOT_EXISTS : unchangedSince(before)', "NOT_EXISTS : { ...NOT_EXISTS, ConditionExpression: 'attribute_exists(pk)' }", 'terms/api/groups'],
  ],
  'functions/codes/table/put-code.ts': [
    ['if (before && before.advocateSlug !== request.slug) throw new CodeTaken();', '', 'codes/api/codes'],
    ["notExistsOrSame('code', code)", "notExistsOrSame('affiliate_slug', advocateSlug)", 'codes/api/codes'],
  ],
  'functions/referrals/table/refusals.ts': [
    ['count === MAX_A_SECOND', 'count > MAX_A_SECOND', 'referrals/table/refusals'],
  ],
};
