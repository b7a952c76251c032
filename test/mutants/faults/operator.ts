import type { Faults } from '../table.ts';

export const OPERATOR: Faults = {
  'functions/table/operator/ledger-claims.ts': [
    ['stored === computed ||', 'stored !== null ||', 'command-line/table/ledger'],
  ],
  'functions/table/operator/payment-import.ts': [
    ['groups, { retries: false })', 'groups)', 'command-line/table/ledger'],
  ],
  'functions/table/operator/advocate-import.ts': [
    ['holder.email === email && holder.uid === uid', 'holder.email === email', 'command-line/table/advocates'],
    ['slugs.has(email) ? null : slug', 'slug', 'command-line/commands/import-referrals'],
    ['holder.email === null && holder.id === id', 'holder.email === id', 'command-line/commands/import-advocates'],
  ],
  'functions/table/operator/batch-store.ts': [
    ['this.#before = new Set(this.#written);', '', 'command-line/commands/import-faults'],
  ],
  'bin/admin/import/advocates.ts': [
    ['active: active && erasedAt === null', 'active', 'command-line/commands/import-advocates'],
  ],
  'bin/admin/import/run.ts': [
    ['await check();', '', 'command-line/parts/csv'],
    ['isRefused || error', 'error', 'command-line/commands/import-faults'],
    ["'wx', 0o600", "'wx', 0o644", 'command-line/commands/import-failed-lines'],
    ['await rename(temporaryPath, target).catch(asFailure);', '', 'command-line/commands/import-failed-lines'],
    ['existing.dev === source.stats?.dev && existing.ino === source.stats.ino', 'existing.size < 0', 'command-line/commands/import-failed-lines'],
  ],
  'functions/table/operator/bulk-writes.ts': [
    ['!isNew || ', '', 'command-line/commands/import-again'],
    ['(sums[name] ?? 0) + number', 'number', 'command-line/commands/import-payments'],
    ['attemptTransaction(table, writes, token)', 'attemptTransaction(table, writes)', 'command-line/commands/import-faults'],
    ['error instanceof Unavailable && error.reason !== undefined', 'error instanceof Unavailable', 'command-line/commands/import-faults'],
  ],
  'functions/table/operator/payment-plan.ts': [
    ['imported.refunded <= payment.refunded', 'imported.refunded < payment.refunded', 'command-line/commands/import-payments'],
    ['imported.settled > settledOf(settlement)', 'imported.settled >= settledOf(settlement)', 'command-line/commands/import-payments'],
    ['commissionPercentage: null, note: null', 'note: null', 'command-line/commands/import-payments'],
    ['    settlementCountWrite(program, slug, currency),\n', '', 'command-line/commands/payout-run'],
    ["checkWrite('referral', referralKey(program, referral.id), unchangedSince(referral)),", '', 'command-line/commands/import-payments'],
  ],
  'functions/table/operator/payouts.ts': [
    ['amount >= minimum', 'amount > minimum', 'command-line/commands/payout-run'],
    ['Math.min(Number(payable), MAX_AMOUNT)', 'Number(payable)', 'command-line/commands/payout-run'],
    ['amount: settled, id', 'amount: Number(payable), id', 'command-line/commands/payout-run'],
    ['error instanceof BalanceChanged || ', '', 'command-line/commands/payout-run'],
    ['currency: run.currency, settlementCount }', 'currency: run.currency }', 'command-line/commands/payout-run'],
    ['entry.advocateSlug !== slug', "entry.advocateSlug === ''", 'command-line/commands/payout-run'],
    [' || entry.currency !== currency', '', 'command-line/commands/payout-run'],
  ],
  'functions/table/operator/response-clock.ts': [
    ['Math.max(start ?? Number.NEGATIVE_INFINITY, date - elapsed())', 'date - elapsed()', 'unit/table/response-clock'],
    ['suspendedFor() - before > LONGEST_DIFFERENCE', 'before > LONGEST_DIFFERENCE', 'unit/table/response-clock'],
  ],
  'functions/table/operator/referral-import.ts': [
    ["return notExistsOrSame('owner_state', advocateState(program, referral.advocateSlug, 'clicked'));", 'return NOT_EXISTS;', 'command-line/commands/import-referrals'],
    ['if (referral.convertedAt === null) return NOT_EXISTS;', '', 'command-line/commands/import-referrals'],
    ['isErased(stored) ? { ...referral, email: null, customerUid: null } : referral', 'referral', 'command-line/commands/import-again'],
    ['referral.advocateSlug === stored.advocateSlug &&', '', 'command-line/commands/import-again'],
    ["if (refused.get(index) === 'taken') return 'stripe customer taken';", '', 'command-line/commands/import-stripe-customers'],
  ],
  'functions/table/operator/delete-program.ts': [
    ['for (let before = -1; before < deleted.advocates; )', 'for (let before = -1; before < 0; )', 'command-line/commands/delete-program'],
    ["deleteWrite('referral', keys.referralKey(program, id), unchangedSince(referral))", 'deleteAnyway(keys.referralKey(program, id))', 'command-line/commands/delete-program'],
    ['...newTokens, ...tokenHashes', '...tokenHashes', 'table/faults/stale-reads'],
    ['for await (const sums of statisticsKeys(table, id)) await deleteAll(table, sums);', '', 'command-line/commands/delete-program'],
    [', keys.settlementCountKey(program, slug)]', ']', 'command-line/commands/delete-program'],
  ],
  'functions/table/operator/stripe-customers.ts': [
    ['if (!before || isErased(before)) return [];', 'if (!before) return [];', 'command-line/commands/import-stripe-customers'],
    ['if (owner !== undefined && owner !== id)', "if (owner === '')", 'command-line/commands/import-stripe-customers'],
    ['names.size >= room', 'names.size > room', 'command-line/commands/import-stripe-customers'],
  ],
  'bin/admin/csv.ts': [
    ['if (values.length !== names.length) {', 'if (values.length > names.length) {', 'command-line/parts/csv'],
    ['if (!isUtf8(bytes)) return', 'if (bytes.length < 0) return', 'command-line/parts/csv'],
    ['if (bytes.length > MAX_LINE_BYTES) return', 'if (bytes.length >= MAX_LINE_BYTES) return', 'command-line/parts/csv'],
    ['CONTROL_CHARACTER.test(text) ?', "text === '' ?", 'command-line/parts/csv'],
    ["number === 1 ? written.replace(BYTE_ORDER_MARK, '') : written", 'written', 'command-line/parts/csv'],
  ],
  'bin/admin/import/cells.ts': [
    ['if (second > now) throw', 'if (second < 0) throw', 'command-line/parts/cells'],
    ['known.length < words.size', 'known.length > words.size', 'command-line/parts/cells'],
    ['if (!isUuidv7(lower)) throw', "if (lower === '') throw", 'command-line/parts/cells'],
  ],
  'bin/admin/import/referrals.ts': [
    ['ids.get(row) ?? newIdOf', 'newIdOf', 'command-line/commands/import-faults'],
    ['counts.set(hashed, count + 1);', '', 'command-line/commands/import-referrals'],
  ],
  'functions/table/operator/statistics.ts': [
    ["if (kind === 'clicks' && isLower) return [];", '', 'table/statistics/rebuild'],
    ["mayBeExpired: isLower && kind === 'rejected' && withExpired.has(slug)", 'mayBeExpired: false', 'table/statistics/rebuild'],
    ['startOf(day) + 2 * DAY < now', 'startOf(day) + DAY < now', 'table/statistics/rebuild'],
  ],
  'bin/admin/ledger/commands.ts': [
    ['const payouts = dryRun ? planPayouts(table, program, run) : payOut(table, program, run);', 'const payouts = payOut(table, program, run);', 'command-line/commands/payout-run'],
  ],
};
