import type { Faults } from '../table.ts';

export const STATISTICS: Faults = {
  'functions/domain/statistics/occurrences.ts': [
    ['before === null && isClick(after)', 'isClick(after)', 'unit/domain/statistics/occurrences'],
    ["isFirst('paidAt') ? knownTimes", "isFirst('convertedAt') ? knownTimes", 'unit/domain/statistics/occurrences'],
    ["if (entry.type === 'reassignment') slug = entry.from;", '', 'unit/domain/statistics/occurrences'],
    ['second === null || second === PAID_AT_UNKNOWN_TIME', 'second === null', 'unit/domain/statistics/occurrences'],
  ],
  'functions/table/statistics/count.ts': [
    ['position === undefined || sequence > position', 'position === undefined || sequence >= position', 'table/statistics/count'],
    ['(addition.numbers[attribute] ?? 0) + 1', '1', 'table/statistics/count'],
    ['seconds(secondOf(table.clock()) + POSITION_DAYS * DAY)', 'seconds(secondOf(table.clock()) + DAY)', 'table/statistics/count'],
  ],
  'functions/table/operator/statistics.ts': [
    ["if (kind === 'clicks' && isLower) return [];", '', 'table/statistics/rebuild'],
    ["mayBeExpired: isLower && kind === 'rejected' && withExpired.has(slug)", 'mayBeExpired: false', 'table/statistics/rebuild'],
    ['startOf(day) + 2 * DAY < now', 'startOf(day) + DAY < now', 'table/statistics/rebuild'],
  ],
  'functions/http/authentication.ts': [
    ['if (!token.scopes.includes(scope)) throw new MissingScope(scope);', '', 'api/program'],
  ],
  'functions/domain/advocate.ts': [
    ['...empty, active: false, erasedAt: now', '...empty, erasedAt: now', 'api/advocates/changes'],
    ['if (advocate.erasedAt !== null) throw new AdvocateErased();', '', 'api/advocates/changes'],
  ],
};
