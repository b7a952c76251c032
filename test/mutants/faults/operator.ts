import type { Faults } from '../table.ts';

export const OPERATOR: Faults = {
  'functions/table/operator/advocate-import.ts': [
    ['holder.email === email && holder.uid === uid', 'holder.email === email', 'table/operator/advocates whose slug exists'],
    ['slugs.has(email) ? null : slug', 'slug', 'table/admin/import-names'],
    ['holder.email === null && holder.id === id', 'holder.email === id', 'table/admin/import-advocates old export'],
  ],
  'functions/table/operator/batch-store.ts': [
    ['this.#before = new Set(this.#written);', '', 'table/admin/import-faults does not expect'],
  ],
  'bin/admin/import/advocates.ts': [
    ['active: active && erasedAt === null', 'active', 'table/admin/import-advocates erased'],
  ],
  'bin/admin/import/line-faults.ts': [
    ['await check();', '', 'unit/admin/line-faults'],
    ['isRefused || error', 'error', 'table/admin/import-faults does not expect'],
  ],
  'functions/table/operator/bulk-writes.ts': [
    ['!isNew || ', '', 'table/admin/import-taken'],
    ['(sums[name] ?? 0) + number', 'number', 'table/admin/import-payments together'],
    ['attemptTransaction(table, writes, token)', 'attemptTransaction(table, writes)', 'table/admin/import-faults'],
    ['error instanceof Unavailable && error.reason !== undefined', 'error instanceof Unavailable', 'table/admin/import-faults'],
  ],
  'functions/table/operator/payment-plan.ts': [
    ['imported.refunded <= payment.refunded', 'imported.refunded < payment.refunded', 'table/admin/import-payments'],
    ['imported.settled > settledOf(settlement)', 'imported.settled >= settledOf(settlement)', 'table/admin/import-payments'],
    ['commissionPercentage: null, note: null', 'note: null', 'table/admin/import-payments'],
    ['    settlementCountWrite(program, slug, currency),\n', '', 'table/admin/payout-run meanwhile'],
    ["checkWrite('referral', referralKey(program, referral.id), unchangedSince(referral)),", '', 'table/admin/import-payments'],
  ],
  'functions/table/operator/payouts.ts': [
    ['amount >= minimum', 'amount > minimum', 'table/admin/payout-run'],
    ['Math.min(Number(payable), MAX_AMOUNT)', 'Number(payable)', 'table/admin/payout-run'],
    ['amount: settled, id', 'amount: Number(payable), id', 'table/admin/payout-run'],
    ['error instanceof BalanceChanged || ', '', 'table/admin/payout-run'],
    ['currency: run.currency, settlementCount }', 'currency: run.currency }', 'table/admin/payout-run meanwhile'],
    ['entry.advocateSlug !== slug', "entry.advocateSlug === ''", 'table/admin/payout-run'],
    [' || entry.currency !== currency', '', 'table/admin/payout-run'],
  ],
  'functions/table/operator/response-clock.ts': [
    ["Math.max(start ?? Number.NEGATIVE_INFINITY, date - elapsed())", 'date - elapsed()', 'unit/table/response-clock'],
    ['suspendedFor() - before > LONGEST_DIFFERENCE', 'before > LONGEST_DIFFERENCE', 'unit/table/response-clock'],
  ],
  'functions/table/past-events.ts': [
    ['event.setAt < setAt.to', 'event.setAt <= setAt.to', 'table/webhooks/past-events'],
    ['event.setAt >= setAt.from', 'event.setAt > setAt.from', 'table/webhooks/past-events'],
    ['wholeSeconds) >= setAt.from', 'wholeSeconds) > setAt.from', 'table/webhooks/past-events'],
    ['types.includes(event.type) && ', '', 'table/webhooks/past-events'],
    ['isOther ? await findAdvocate(table, program, event.affiliateSlug) : advocate', 'advocate', 'table/webhooks/past-events'],
  ],
  'functions/table/program-changes.ts': [
    ['EXISTS.ConditionExpression} AND attribute_not_exists(revoked_at)', 'EXISTS.ConditionExpression}', 'api/program/tokens creates no token'],
    ['creator === undefined ? []', "creator !== '' ? []", 'api/program/tokens revoked immediately before'],
    ['#program.version < :version', '#program.version > :version', 'table/operator/update-program'],
    ['await Promise.all(stored.newTokens.map(tokenKey).map(replace));', '', 'table/operator/update-program'],
    ['if (isDeepStrictEqual(program, before.program)) return { result: before };', '', 'table/operator/update-program'],
  ],
  'functions/table/operator/referral-import.ts': [
    ["return notExistsOrSame('owner_state', advocateState(program, referral.advocateSlug, 'clicked'));", 'return NOT_EXISTS;', 'table/admin/import-referrals becomes that'],
    ['if (referral.convertedAt === null) return NOT_EXISTS;', '', 'table/admin/import-referrals clicks'],
    ['isErased(stored) ? { ...referral, email: null, customerUid: null } : referral', 'referral', 'table/admin/import-erased'],
    ['referral.advocateSlug === stored.advocateSlug &&', '', 'table/admin/import-taken'],
    ["if (refused.get(index) === 'taken') return 'stripe customer taken';", '', 'table/admin/import-stripe-customers'],
  ],
  'functions/table/operator/delete-program.ts': [
    ["for (let before = -1; before < deleted.advocates; )", 'for (let before = -1; before < 0; )', 'table/admin/delete-program'],
    ["deleteWrite('referral', keys.referralKey(program, id), unchangedSince(referral))", "deleteAnyway(keys.referralKey(program, id))", 'table/admin/delete-program'],
    ['...newTokens, ...tokenHashes', '...tokenHashes', 'table/faults/stale-reads'],
    ["for await (const sums of statisticsKeys(table, id)) await deleteAll(table, sums);", '', 'table/admin/delete-program'],
    [', keys.settlementCountKey(program, slug)]', ']', 'table/admin/delete-program'],
  ],
  'functions/table/operator/stripe-customers.ts': [
    ['if (!before || isErased(before)) return [];', 'if (!before) return [];', 'table/admin/import-stripe-customers erased'],
    ['if (owner !== undefined && owner !== id)', "if (owner === '')", 'table/admin/import-stripe-customers'],
    ['names.size >= room', 'names.size > room', 'table/admin/import-stripe-customers'],
  ],
  'functions/domain/formula.ts': [
    ['return FORMULA.test(value) ?', 'return value.startsWith("=") ?', 'unit/admin/csv'],
  ],
  'bin/admin/csv.ts': [
    ['if (values.length !== names.length) {', 'if (values.length > names.length) {', 'unit/admin/csv'],
  ],
  'bin/admin/import/cells.ts': [
    ["if (second > now) throw", "if (second < 0) throw", 'unit/admin/cells'],
    ['known.length < words.size', 'known.length > words.size', 'unit/admin/cells'],
    ['if (!isUuidv7(lower)) throw', "if (lower === '') throw", 'unit/admin/cells'],
  ],
  'bin/admin/import/failed-lines.ts': [
    ["'wx', 0o600", "'wx', 0o644", 'table/admin/import-failed-lines'],
    ['await rename(temporaryPath, target).catch(asFailure);', '', 'table/admin/import-failed-lines'],
    ['existing.dev === source.stats?.dev && existing.ino === source.stats.ino', 'existing.size < 0', 'table/admin/import-failed-lines'],
  ],
  'bin/admin/import/lines.ts': [
    ['if (!isUtf8(bytes)) return', 'if (bytes.length < 0) return', 'unit/admin/lines'],
    ['if (bytes.length > MAX_LINE_BYTES) return', 'if (bytes.length >= MAX_LINE_BYTES) return', 'unit/admin/lines'],
    ['CONTROL_CHARACTER.test(text) ?', "text === '' ?", 'unit/admin/lines'],
    ["number === 1 ? written.replace(BYTE_ORDER_MARK, '') : written", 'written', 'unit/admin/lines'],
  ],
  'bin/admin/import/referrals.ts': [
    ['ids.get(row) ?? newIdOf', 'newIdOf', 'table/admin/import-faults does not expect'],
    ['counts.set(hashed, count + 1);', '', 'table/admin/import-referrals clicks'],
  ],
};
