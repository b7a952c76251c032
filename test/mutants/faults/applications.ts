import type { Faults } from '../table.ts';

export const APPLICATIONS: Faults = {
  'functions/kernel/accounts/table/address-items.ts': [
    ['isEmpty &&= keys.length === 0', 'isEmpty &&= true', 'people/thorough/applications'],
  ],
  'functions/people/http/applications/handlers.ts': [
    ['if (isRobot) return noContent();', '', 'people/api/applications'],
  ],
  'functions/people/rules/applications/application.ts': [
    ['unconfirmed: 3 * DAY', 'unconfirmed: 4 * DAY', 'people/thorough/applications'],
    ['rejected: 30 * DAY', 'rejected: 31 * DAY', 'people/thorough/applications'],
    ['REMEMBERED = 180 * DAY', 'REMEMBERED = 179 * DAY', 'people/thorough/applications'],
  ],
  'functions/people/rules/applications/budgets.ts': [
    ['window: DAY, max: 3', 'window: DAY, max: 4', 'people/thorough/applications'],
    ['max: 200', 'max: 201', 'people/thorough/applications'],
    ['max: 50', 'max: 51', 'people/thorough/decisions'],
  ],
  'functions/people/table/applications/disposable.ts': [
    ['labels.slice(start)', 'labels', 'people/thorough/decisions'],
  ],
  'functions/people/rules/applications/form.ts': [
    ['/^https?:$/', '/:$/', 'people/api/applications'],
  ],
  'functions/people/table/applications/confirm.ts': [
    ['draft: draft?.id === id ? draft : undefined', 'draft', 'people/thorough/applications'],
    ["checkWrite('program', programKey(program), EXISTS),", '', 'people/thorough/applications'],
    ['sameDraft(draft)', 'EXISTS', 'people/thorough/applications'],
  ],
  'functions/people/table/applications/decide.ts': [
    ["if (application.state === 'rejected') throw new ApplicationDecided();", '', 'people/thorough/decisions'],
    ["if (application.state === 'approved') throw new ApplicationDecided();", '', 'people/api/applications'],
    ["if (failed.has('application') || failed.has('approvals')) throw new Overtaken();", "if (failed.has('none')) throw new Overtaken();", 'people/thorough/decisions'],
  ],
  'functions/people/table/applications/items.ts': [
    ["required(item, 'blocks_until', number) > now", "required(item, 'blocks_until', number) > 0", 'people/thorough/applications'],
  ],
  'functions/people/table/applications/send.ts': [
    ['const kept = sent ? undefined : before.value;', 'const kept = sent ? undefined : undefined;', 'people/thorough/applications'],
  ],
  'functions/people/table/emails/applications.ts': [
    ['if (draft?.id !== id) return undefined;', 'if (!draft) return undefined;', 'people/thorough/application-changes'],
    ['name: `waiting:${id}:${day}`', 'name: `waiting:${id}:${application}:${day}`', 'people/thorough/decisions'],
    ["if (found.value?.state !== 'pending') return [];", '', 'people/thorough/decisions'],
    ["scopes.includes('advocates')", "scopes.includes('admin')", 'people/thorough/decisions'],
    ['if (!found.value?.notify) return undefined;', 'if (!found.value) return undefined;', 'people/thorough/decisions'],
  ],
};
