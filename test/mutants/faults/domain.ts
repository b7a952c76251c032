import type { Faults } from '../table.ts';

export const DOMAIN: Faults = {
  'functions/advocates/rules/advocate-changes.ts': [
    ['return isDeepStrictEqual(after, advocate) ? advocate :', 'return', 'unit/domain/advocate'],
    ['...empty, active: false, erasedAt: now', '...empty, erasedAt: now', 'api/advocates/changes'],
    ['if (advocate.erasedAt !== null) throw new AdvocateErased();', '', 'api/advocates/changes'],
  ],
  'functions/kernel/cache.ts': [
    ['readAt - cached.readAt < Math.min(maxAge, this.#ttl)', 'readAt > 0', 'unit/domain/cache'],
  ],
  'functions/referrals/rules/counts.ts': [
    ['other: rest.length === 0 ? null : sumOf(rest)', 'other: null', 'unit/domain/counts'],
  ],
  'functions/kernel/fields/fields.ts': [
    ['return email.toLowerCase();', 'return email;', 'unit/domain/email'],
    ['return { slug: slug.toLowerCase(), clickId };', 'return { slug, clickId };', 'unit/domain/ids'],
  ],
  'functions/kernel/ids.ts': [
    ['block += 1;', '', 'unit/domain/ids'],
  ],
  'functions/kernel/fields/metadata.ts': [
    ['Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES', 'JSON.stringify(metadata).length > MAX_BYTES', 'unit/domain/field-list'],
  ],
  'functions/kernel/accounts/rules/program.ts': [
    ['program.allowedOrigins.includes(origin.toLowerCase())', 'program.allowedOrigins.some((one) => origin.startsWith(one))', 'unit/http/authentication'],
  ],
  'functions/kernel/time.ts': [
    ['date.setUTCDate(Math.min(day, lastDay));', 'date.setUTCDate(day);', 'unit/domain/time'],
  ],
  'functions/kernel/accounts/rules/token.ts': [
    ['return secret !== undefined && sum === checksum(secret);', 'return secret !== undefined;', 'unit/domain/ids'],
    ["createHash('sha256').update(token).digest('hex')", 'token', 'table/callers/tokens'],
  ],
  'functions/webhooks/rules/webhook.ts': [
    ['failures === MAX_FAILURES && secondOf(now) - failingSince >= MAX_FAILING', 'failures === MAX_FAILURES', 'unit/domain/webhook'],
    ["(url.protocol !== 'https:' && !isLocal)", '!/^https?:$/.test(url.protocol)', 'unit/domain/webhook'],
  ],
  'functions/webhooks/rules/webhook-retries.ts': [
    ['return Math.min(Math.max(jittered, retryAfter ?? 0), LONGEST_DELAY);', 'return Math.max(jittered, retryAfter ?? 0);', 'unit/domain/webhook'],
  ],
  'functions/referrals/rules/history.ts': [
    ['[...history, entry].slice(-MAX_HISTORY)', '[...history, entry]', 'unit/domain/referral/referral-changes'],
    ['return version - (stripe?.silentWrites ?? 0);', 'return version;', 'sequences/payments'],
  ],
  'functions/stripe/rules/provider-event.ts': [
    ["  if (isErased(before)) return 'erased';", '', 'unit/domain/referral/payment'],
    ["event.state !== 'rejected' && isBefore", 'isBefore', 'unit/domain/referral/payment'],
  ],
  'functions/referrals/rules/provider-changes.ts': [
    ['silentWrites: stripe.silentWrites + 1', 'silentWrites: stripe.silentWrites', 'unit/domain/referral/payment'],
    ['[...customers, claim].slice(-MAX_CUSTOMERS)', '[...customers, claim]', 'unit/domain/referral/payment'],
  ],
  'functions/referrals/rules/referral-changes.ts': [
    ['if (referral.state === to) return referral;', '', 'unit/domain/referral/referral-changes'],
    ['if (referral.convertedAt === null) throw new NotConverted();', '', 'unit/domain/referral/referral-changes'],
    ['commissionPercentage: rateOf(program, target),', '', 'unit/domain/referral/referral-changes'],
    ['flags: flagsOf({ email, uid }, target),', '', 'unit/domain/referral/referral-changes'],
    ['    ...ERASED,', '', 'unit/domain/referral/referral-changes'],
    ['stripe: stripe && { ...stripe, customers: [] },', '', 'table/payments/races'],
  ],
  'functions/referrals/rules/referral-event.ts': [
    ['index + dropped >= known', 'index + dropped > known', 'unit/domain/referral/referral-event'],
  ],
  'functions/referrals/rules/referral.ts': [
    ['click.expiresAt > now)', 'click.expiresAt >= now)', 'unit/domain/referral/referral'],
    ['click.subId ?? reported.subId', 'reported.subId ?? click.subId', 'unit/domain/referral/referral'],
    ['target.commissionPercentage ?? program', 'target.commissionPercentage || program', 'unit/domain/referral/referral'],
    ['addCalendarMonths(convertedAt, commissionMonths)', 'addCalendarMonths(click.createdAt, commissionMonths)', 'unit/domain/referral/referral'],
  ],
  'functions/referrals/rules/self-referral.ts': [
    [".replace(/(?<=.)\\+.*$/, '')", '', 'unit/domain/referral/referral'],
  ],
  'functions/referrals/rules/state.ts': [
    ['return !transition.restores || (referral?.convertedAt ?? null) !== null;', 'return true;', 'unit/domain/referral/state'],
    ["from: [null, 'clicked'] }", "from: [null, 'clicked', 'rejected'] }", 'unit/domain/referral/state'],
  ],
  'functions/ledger/rules/money.ts': [
    ['(2n * size + divisor) / (2n * divisor)', 'size / divisor', 'unit/domain/ledger/money'],
    ['return dividend < 0n ? -rounded : rounded;', 'return rounded;', 'unit/domain/ledger/money'],
  ],
  'functions/ledger/rules/entry.ts': [
    ["kind === 'payment' && note === 'no_rate'", "note === 'no_rate'", 'api/tracking/ledger'],
    ['paidAt >= commissionEndDate', 'paidAt > commissionEndDate', 'unit/domain/ledger/payment'],
    ["if (state === 'rejected') return 'rejected';", '', 'unit/domain/ledger/payment'],
  ],
  'functions/ledger/rules/payment.ts': [
    ['if (amount > payment.amount - payment.refunded)', 'if (amount > payment.amount)', 'unit/domain/ledger/payment'],
    ['commissionLeft(after) - commissionLeft(before)', '-commissionLeft(before)', 'unit/domain/ledger/payment'],
    ['return voided ? 0 : shareOf', 'return shareOf', 'unit/domain/ledger/payment'],
  ],
  'functions/ledger/rules/sums.ts': [
    ['return { refunds: BigInt(amount ?? 0), commissions: BigInt(commission) };', 'return { refunds: BigInt(amount ?? 0) };', 'table/ledger/sums-property'],
    ['dayOf(paidAt)', 'dayOf(entry.createdAt)', 'table/ledger/sums-property'],
  ],
  'functions/ledger/rules/statement.ts': [
    ['day < firstPending', 'day <= firstPending', 'table/ledger/sums-property'],
  ],
  'functions/ledger/rules/provider-reports.ts': [
    ['one.returned > other.returned', 'one.createdAt > other.createdAt', 'unit/domain/ledger/stripe-facts'],
  ],
  'functions/ledger/rules/provider-facts.ts': [
    ['charged || amount', 'amount', 'unit/domain/ledger/stripe-facts'],
    ['byCharges > before ? byCharges : before', 'byCharges', 'unit/domain/ledger/stripe-facts'],
    ['refunded < amount ? refunded : amount', 'refunded', 'unit/domain/ledger/stripe-facts'],
  ],
  'functions/kernel/fields/formula.ts': [
    ['return FORMULA.test(value) ?', 'return value.startsWith("=") ?', 'command-line/parts/csv'],
  ],
  'functions/statistics/rules/occurrences.ts': [
    ['before === null && isClick(after)', 'isClick(after)', 'unit/domain/statistics/occurrences'],
    ["isFirst('paidAt') ? knownTimes", "isFirst('convertedAt') ? knownTimes", 'unit/domain/statistics/occurrences'],
    ["if (entry.type === 'reassignment') slug = entry.from;", '', 'unit/domain/statistics/occurrences'],
  ],
  'functions/kernel/fields/field-list.ts': [
    ['.filter(([name]) => !names.has(name))', '', 'api/tracking'],
  ],
};
