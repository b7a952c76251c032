import type { Faults } from '../table.ts';

export const OPERATOR: Faults = {
  'functions/ledger/operator/ledger-claims.ts': [
    ['stored === computed ||', 'stored !== null ||', 'command-line/operator/ledger'],
  ],
  'functions/ledger/operator/payment-import.ts': [
    ['groups, { retries: false })', 'groups)', 'command-line/operator/ledger'],
  ],
  'functions/kernel/operator/batch-store.ts': [
    ['this.#before = new Set(this.#written);', '', 'command-line/commands/import-faults'],
  ],
  'functions/kernel/operator/bulk-writes.ts': [
    ['attemptTransaction(table, writes, token)', 'attemptTransaction(table, writes)', 'command-line/commands/import-faults'],
  ],
  'functions/ledger/operator/payment-plan.ts': [
    ['imported.refunded <= payment.refunded', 'imported.refunded < payment.refunded', 'command-line/commands/import-payments'],
    ['    settlementCountWrite(program, slug, currency),\n', '', 'command-line/commands/payout-run'],
    ["checkWrite('referral', referralKey(program, referral.id), unchangedSince(referral)),", '', 'command-line/commands/import-payments'],
  ],
  'functions/kernel/operator/response-clock.ts': [
    ['Math.max(start ?? Number.NEGATIVE_INFINITY, date - elapsed())', 'date - elapsed()', 'kernel/unit/dynamodb/response-clock'],
    ['suspendedFor() - before > LONGEST_DIFFERENCE', 'before > LONGEST_DIFFERENCE', 'kernel/unit/dynamodb/response-clock'],
  ],
  'functions/referrals/operator/referral-import.ts': [
    ["return notExistsOrSame('owner_state', advocateState(program, referral.advocateSlug, 'clicked'));", 'return NOT_EXISTS;', 'command-line/commands/import-referrals'],
    ['isErased(stored) ? { ...referral, email: null, customerUid: null } : referral', 'referral', 'command-line/commands/import-again'],
    ['referral.advocateSlug === stored.advocateSlug &&', '', 'command-line/commands/import-again'],
  ],
  'functions/operator/delete-program.ts': [
    ['for (let before = -1; before < deleted.advocates; )', 'for (let before = -1; before < 0; )', 'command-line/commands/delete-program'],
    ['    keys.logoKey(id),\n', '', 'command-line/commands/delete-program'],
    ['...newTokens, ...tokenHashes', '...tokenHashes', 'kernel/thorough/stale-reads'],
  ],
  'functions/referrals/operator/delete-referrals.ts': [
    ["deleteWrite('referral', referralKey(program, id), unchangedSince(referral))", 'deleteAnyway(referralKey(program, id))', 'command-line/commands/delete-program'],
  ],
  'functions/referrals/operator/provider-customers.ts': [
    ['if (!before || isErased(before)) return [];', 'if (!before) return [];', 'command-line/commands/import-stripe-customers'],
  ],
  'bin/admin/referral/import.ts': [
    ['ids.get(row) ?? newIdOf', 'newIdOf', 'command-line/commands/import-faults'],
  ],
  'functions/statistics/operator/statistics.ts': [
    ['startOf(day) + 2 * DAY < now', 'startOf(day) + DAY < now', 'command-line/operator/rebuild-statistics'],
    ["incrementWrite('total', totalsKey(program, slug), total),", '', 'command-line/operator/rebuild-statistics'],
  ],
  'bin/admin/ledger/settle.ts': [
    ['const payouts = dryRun ? planPayouts(table, program, run, onPending) : payOut(table, program, run, onPending);', 'const payouts = payOut(table, program, run, onPending);', 'command-line/commands/payout-run'],
  ],
  'bin/admin/import/run.ts': [
    ["'wx', 0o600", "'wx', 0o644", 'command-line/commands/import-failed-lines'],
  ],
};
