import type { Faults } from '../table.ts';

export const PEOPLE: Faults = {
  'functions/advocates/rules/advocate-changes.ts': [
    ['hasEmail && advocate.signedInAt !== null && {', 'hasEmail && advocate.signedInAt === null && {', 'people/thorough/sign-in'],
    ['isPending(advocate, now) && payoutBefore ? payoutBefore :', 'isPending(advocate, now) && !payoutBefore ? payoutBefore :', 'people/thorough/mail'],
  ],
  'functions/advocates/table/advocates.ts': [
    ['if (email !== null) await deleteAddressItems(', 'if (email === undefined) await deleteAddressItems(', 'people/thorough/sign-in'],
    ['if (before === after) return [];', 'if (before !== after) return [];', 'advocates/thorough/index-emails'],
  ],
  'functions/kernel/accounts/table/callers.ts': [
    ['found.member.sessionsEndedAt !== token.memberSessionsEndedAt) return undefined;', 'found.member.sessionsEndedAt === 1) return undefined;', 'people/thorough/sign-in'],
    ['found.advocate.emailVersion !== token.emailVersion) return undefined;', 'found.advocate.emailVersion < 0) return undefined;', 'people/thorough/sign-in'],
    ['|| token.scopes.includes(scope));', '|| true);', 'people/api/people'],
  ],
  'functions/ledger/table/payout-runs.ts': [
    ["if (isPending(advocate, secondOf(table.clock()))) return { notPaid: 'payout_pending' };", '', 'ledger/thorough/payout-runs'],
  ],
  'functions/people/http/mapping.ts': [
    ['if (!token.isSession) throw new SignInRequired();', '', 'people/api/people'],
    ['if (caller.member && !member) throw new TokenRevoked();', '', 'people/api/people'],
    ['const scopes = own.filter((scope) => !member || member.scopes.includes(scope));', 'const scopes = own;', 'people/api/people'],
    ['&& advocate.emailVersion === emailVersion;', ';', 'people/api/people'],
    ['now - token.createdAt >= FRESH', 'now - token.createdAt >= 9 * FRESH', 'people/api/people'],
  ],
  'functions/people/rules/link-budget.ts': [
    ['now - before.lastAt < APART', 'false', 'people/thorough/sign-in'],
    ['> (BURST - 1) * REFILL', '> BURST * REFILL', 'people/thorough/sign-in'],
  ],
  'functions/people/rules/members.ts': [
    ["if (!members.some(({ scopes }) => scopes.includes('admin'))) throw new LastAdmin();", '', 'people/thorough/members'],
    ['if (members.length >= MAX_MEMBERS) throw new TooManyMembers();', '', 'people/thorough/members'],
  ],
  'functions/people/stream/mail.ts': [
    ["if (marked !== 'marked') return marked === 'repeated';", '', 'people/thorough/mail'],
    ['if (age <= limit && ', 'if (', 'people/thorough/mail'],
    ['await takeBack(table, mark)', 'await Promise.resolve()', 'people/thorough/mail'],
    ["if (outcome !== 'refused') return true;", "if (outcome === 'sent') return true;", 'people/thorough/mail'],
  ],
  'functions/people/table/causes.ts': [
    ["|| by === 'import') return undefined;", ') return undefined;', 'people/thorough/causes'],
    ['if (after.erasedAt !== null || ', 'if (', 'people/thorough/causes'],
  ],
  'functions/people/table/emails/read.ts': [
    ["if (about.program.mode === 'test' && about.leavesMachine) return undefined;", '', 'people/thorough/mail'],
  ],
  'functions/people/table/sessions.ts': [
    ['before.emailVersion !== emailVersion', 'before.emailVersion < 0', 'people/thorough/sign-in'],
    ['also: (after) => [spendWrite(code, now), ', 'also: (after) => [', 'people/thorough/sign-in'],
  ],
  'functions/people/table/sent-emails.ts': [
    ['AND #version < :version)', ')', 'people/thorough/mail'],
  ],
  'functions/people/table/undo.ts': [
    ['before.emailVersion === emailVersion ?', 'before.emailVersion >= 0 ?', 'people/thorough/mail'],
  ],
};
