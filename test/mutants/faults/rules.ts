import type { Faults } from '../table.ts';

export const RULES: Faults = {
  'functions/advocates/rules/search.ts': [
    ['parts.every(begins)', 'parts.some(begins)', 'advocates/unit/search'],
  ],
  'functions/advocates/table/search.ts': [
    ['advocates.length === size || left === 0', 'advocates.length === size', 'advocates/table/search'],
  ],
  'functions/advocates/rules/advocate-changes.ts': [
    ['if (isDeepStrictEqual(after, advocate)) return advocate;', '', 'advocates/unit/advocate'],
    ["'personal'), active: false, erasedAt: now", "'personal'), erasedAt: now", 'advocates/api/changes'],
    ['if (advocate.erasedAt !== null) throw new AdvocateErased();', '', 'advocates/api/changes'],
  ],
  'functions/kernel/fields/iban.ts': [
    ['remainderOf(iban) !== 1n', 'remainderOf(iban) === 0n', 'kernel/unit/payout-account'],
  ],
  'functions/kernel/accounts/rules/payout-account.ts': [
    ['isSame ? before.payoutVersion : before.payoutVersion + 1', 'before.payoutVersion', 'kernel/unit/payout-account'],
  ],
  'functions/kernel/accounts/rules/commission-rules.ts': [
    ['earlier < payments', 'earlier <= payments', 'terms/unit/commission-rules'],
    ['paidAt < addCalendarMonths', 'paidAt <= addCalendarMonths', 'terms/unit/commission-rules'],
    ['paying >= paying_from', 'paying > paying_from', 'terms/unit/commission-rules'],
    ['of rules.entries()', 'of [...rules.entries()].reverse()', 'terms/unit/commission-rules'],
    ['if (percentage !== undefined) return', 'if (percentage) return', 'terms/unit/commission-rules'],
    ['amounts?.[currency]', 'Object.values(amounts ?? {})[0]', 'terms/unit/commission-rules'],
    ['Math.min(fixed, amount)', 'fixed', 'terms/unit/commission-rules'],
  ],
  'functions/kernel/accounts/rules/advocate-terms.ts': [
    ['if (commissionPercentage === null) {', 'if (!commissionPercentage) {', 'terms/unit/advocate-terms'],
    ['group && hasTerms(group) ? group : program', 'group && !hasTerms(program) ? group : program', 'terms/unit/advocate-terms'],
  ],
  'functions/ledger/rules/payout-run.ts': [
    ["if (payoutVersion !== payoutVersionOf(advocate)) return 'account_changed';", '', 'ledger/unit/payout-file'],
  ],
  'functions/ledger/rules/sepa.ts': [
    ['id.length <= max && ', '', 'ledger/unit/payout-file'],
  ],
  'functions/kernel/cache.ts': [
    ['readAt - cached.readAt < Math.min(maxAge, this.#ttl)', 'readAt > 0', 'kernel/unit/cache'],
  ],
  'functions/referrals/rules/counts.ts': [
    ['other: rest.length === 0 ? null : sumOf(rest)', 'other: null', 'referrals/unit/counts'],
  ],
  'functions/kernel/fields/fields.ts': [
    ['return email.toLowerCase();', 'return email;', 'kernel/unit/email'],
    ['return { slug: slug.toLowerCase(), clickId };', 'return { slug, clickId };', 'kernel/unit/ids'],
  ],
  'functions/kernel/ids.ts': [
    ['block += 1;', '', 'kernel/unit/ids'],
  ],
  'functions/kernel/fields/metadata.ts': [
    ['Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES', 'JSON.stringify(metadata).length > MAX_BYTES', 'kernel/unit/field-list'],
  ],
  'functions/kernel/accounts/rules/program.ts': [
    ['program.allowedOrigins.includes(origin.toLowerCase())', 'program.allowedOrigins.some((one) => origin.startsWith(one))', 'kernel/unit/http/authentication'],
  ],
  'functions/kernel/time.ts': [
    ['date.setUTCDate(Math.min(day, lastDay));', 'date.setUTCDate(day);', 'kernel/unit/time'],
  ],
  'functions/kernel/accounts/rules/token.ts': [
    ['return secret !== undefined && sum === checksum(secret);', 'return secret !== undefined;', 'kernel/unit/ids'],
    ["createHash('sha256').update(token).digest('hex')", 'token', 'kernel/table/tokens'],
  ],
  'functions/webhooks/rules/webhook.ts': [
    ['failures === MAX_FAILURES && secondOf(now) - failingSince >= MAX_FAILING', 'failures === MAX_FAILURES', 'webhooks/unit/webhook'],
    ["(url.protocol !== 'https:' && !isLocal)", '!/^https?:$/.test(url.protocol)', 'webhooks/unit/webhook'],
  ],
  'functions/webhooks/rules/webhook-retries.ts': [
    ['return Math.min(Math.max(jittered, retryAfter ?? 0), LONGEST_DELAY);', 'return Math.max(jittered, retryAfter ?? 0);', 'webhooks/unit/webhook'],
  ],
  'functions/referrals/rules/history.ts': [
    ['[...history, entry].slice(-MAX_HISTORY)', '[...history, entry]', 'referrals/unit/referral-changes'],
    ['return version - (provider?.silentWrites ?? 0);', 'return version;', 'sequences/payments'],
  ],
  'functions/stripe/rules/provider-event.ts': [
    ["  if (isErased(before)) return 'erased';", '', 'stripe/unit/provider-event'],
    ["event.state !== 'rejected' && isBefore", 'isBefore', 'stripe/unit/provider-event'],
  ],
  'functions/referrals/rules/provider-changes.ts': [
    ['silentWrites: provider.silentWrites + 1', 'silentWrites: provider.silentWrites', 'stripe/unit/provider-event'],
    ['[...customers, claim].slice(-MAX_CUSTOMERS)', '[...customers, claim]', 'stripe/unit/provider-event'],
  ],
  'functions/referrals/rules/referral-changes.ts': [
    ['if (referral.state === to) return referral;', '', 'referrals/unit/referral-changes'],
    ['if (convertedAt === null) throw new NotConverted();', 'if (convertedAt === null) return referral;', 'referrals/unit/referral-changes'],
    ['commissionPercentage: terms.commissionPercentage,', '', 'referrals/unit/referral-changes'],
    ['flags: flagsOf({ email, uid }, target),', '', 'referrals/unit/referral-changes'],
    ['    ...ERASED,', '', 'referrals/unit/referral-changes'],
    ['provider: provider && { ...provider, customers: [] },', '', 'stripe/thorough/races'],
  ],
  'functions/referrals/rules/referral-event.ts': [
    ['index + dropped >= known', 'index + dropped > known', 'referrals/unit/referral-event'],
  ],
  'functions/referrals/rules/referral.ts': [
    ['click.expiresAt > now)', 'click.expiresAt >= now)', 'referrals/unit/referral'],
    ['click.subId ?? reported.subId', 'reported.subId ?? click.subId', 'referrals/unit/referral'],
    ['endOfCommission(convertedAt, months) : null', 'endOfCommission(click.createdAt, months) : null', 'referrals/unit/referral'],
    ['    idempotencyRecord,\n    ...stateSet', '    idempotencyRecord,\n    commissionRulesId: terms.commissionRulesId,\n    ...stateSet', 'referrals/unit/referral'],
  ],
  'functions/referrals/rules/credit.ts': [
    ['code?.active ? target : undefined', 'target', 'stripe/thorough/promotion-codes'],
    ['[...link, ...codes]', '[...codes, ...link]', 'codes/api/conversions'],
    ['target?.active ?', 'target ?', 'codes/api/conversions'],
  ],
  'functions/referrals/rules/self-referral.ts': [
    [".replace(/(?<=.)\\+.*$/, '')", '', 'referrals/unit/referral'],
  ],
  'functions/referrals/rules/state.ts': [
    ['return !transition.restores || (referral?.convertedAt ?? null) !== null;', 'return true;', 'referrals/unit/state'],
    ["from: [null, 'clicked'] }", "from: [null, 'clicked', 'rejected'] }", 'referrals/unit/state'],
  ],
  'functions/kernel/fields/money.ts': [
    ['(2n * size + divisor) / (2n * divisor)', 'size / divisor', 'kernel/unit/money'],
    ['return dividend < 0n ? -rounded : rounded;', 'return rounded;', 'kernel/unit/money'],
  ],
  'functions/ledger/rules/entry.ts': [
    ["kind === 'payment' ? ENTRY_WARNINGS", 'kind ? ENTRY_WARNINGS', 'ledger/api/writes'],
    ["note: 'no_rule' }", 'note: null }', 'ledger/table/rules'],
    ['payingSeen: paying', 'payingSeen: null', 'ledger/table/rules'],
    ['paidAt >= commissionEndDate', 'paidAt > commissionEndDate', 'ledger/unit/payment'],
    ["if (state === 'rejected') return 'rejected';", '', 'ledger/unit/payment'],
  ],
  'functions/ledger/rules/payment.ts': [
    ['if (amount > payment.amount - payment.refunded)', 'if (amount > payment.amount)', 'ledger/unit/payment'],
    ['commissionLeft(after) - commissionLeft(before)', '-commissionLeft(before)', 'ledger/unit/payment'],
    ['return voided ? 0 : shareOf', 'return shareOf', 'ledger/unit/payment'],
    ['commissionLeft(after) - commissionLeft(before)', 'shareOf(before.commission, before.refunded - after.refunded, before.amount)', 'ledger/unit/payment'],
  ],
  'functions/ledger/rules/sums.ts': [
    ['return { refunds: BigInt(amount ?? 0), commissions: BigInt(commission) };', 'return { refunds: BigInt(amount ?? 0) };', 'ledger/table/sums-property'],
    ['dayOf(paidAt)', 'dayOf(entry.createdAt)', 'ledger/table/sums-property'],
  ],
  'functions/ledger/rules/statement.ts': [
    ['day >= firstPending', 'day > firstPending', 'ledger/table/sums-property'],
    ['addDays(first[0], payableAfterDays)', 'first[0]', 'ledger/api/balances'],
  ],
  'functions/ledger/rules/provider-reports.ts': [
    ['one.returned > other.returned', 'one.createdAt > other.createdAt', 'ledger/unit/provider-refunds'],
  ],
  'functions/ledger/rules/provider-refunds.ts': [
    ['charged || amount', 'amount', 'ledger/unit/provider-refunds'],
    ['byCharges > before ? byCharges : before', 'byCharges', 'ledger/unit/provider-refunds'],
    ['refunded < amount ? refunded : amount', 'refunded', 'ledger/unit/provider-refunds'],
  ],
  'functions/kernel/fields/formula.ts': [
    ['return FORMULA.test(value) ?', 'return value.startsWith("=") ?', 'command-line/parts/csv'],
  ],
  'functions/kernel/accounts/rules/ranking.ts': [
    ['compare(last, row) < 0', 'compare(last, row) <= 0', 'statistics/unit/statistics'],
  ],
  'functions/statistics/rules/occurrences.ts': [
    ['before === null && isClick(after)', 'isClick(after)', 'statistics/unit/occurrences'],
    ["isFirst('paidAt') ? knownTimes", "isFirst('convertedAt') ? knownTimes", 'statistics/unit/occurrences'],
    ["if (entry.type === 'reassignment') slug = entry.from;", '', 'statistics/unit/occurrences'],
  ],
  'functions/kernel/fields/field-list.ts': [
    ['.filter(([name]) => !names.has(name))', '', 'tracking/api'],
  ],
  'functions/explain/rules/verdicts.ts': [
    ["question.by === 'payment_id'", "question.by === 'id'", 'explain/api/explain'],
    [" || payment?.note === 'rejected'", '', 'explain/api/explain'],
  ],
  'functions/referrals/rules/refusal.ts': [
    ['.slice(-MAX_REFUSALS)', '', 'referrals/table/refusals'],
  ],
  'functions/referrals/rules/search.ts': [
    ['address?.startsWith(email)', 'address?.includes(email)', 'referrals/api/search'],
  ],
};
