/** The words that both pages share, for translators. */
export const COMMON = {
  noConnection: 'No connection',
  noConnectionAdvice: 'The service does not respond. Check your connection, then try again.',
  notLoaded: 'Not loaded: no connection.',
  notTheService: 'This answer did not come from the service. You may have to sign in to this network first.',
  retry: 'Try again',
  failed: 'This could not be loaded',
  refusedChange: 'This did not work',
  busy: 'The service is busy. Please wait.',
  waiting: (seconds: number) => `The service is busy. The page tries again in ${seconds} ${plural(seconds, 'second')}.`,
  /** For responses without a sentence of the API, such as the gateway's own. */
  withoutSentence: (status: number, path: string) => {
    if (status === 404 && /^\/v2\/(?:webhooks|integrations)/.test(path)) {
      return 'This deployment has no webhooks and no Stripe settings here. Deploy it with events=on, or use the command line.';
    }
    if (status === 404 && /^\/v2\/(?:sign-in|session|apply|applications)/.test(path)) {
      return 'This deployment sends no emails. Deploy it with emails=on.';
    }
    if (status === 404) return 'This deployment does not have this function yet. Deploy the newest version.';
    if (status === 429 || status === 503) return 'The service is still busy. Try again in a minute.';
    if (status === 413) return 'The text is longer than the service accepts. Shorten it.';
    return `The service returned an error (status ${status}). Try again later.`;
  },
  expired: 'Your session has expired',
  linkRefused: 'This link cannot be used',
  linkRefusedAdvice: 'Its token is not valid for this page, or has expired. What you see here stays as it is.',
  refused: 'This link has expired as well.',
  otherToken: 'This link opens another account',
  otherTokenQuestion: 'You opened a link for another account than this page shows.',
  useOther: 'Open the other account',
  keepThis: 'Stay here',
  signedInAs: (name: string) => `Signed in as ${name}`,
  signOut: 'Sign out',
  refresh: 'Refresh',
  reading: 'Reading …',
  unknown: '…',
  notAllRead: (sentence: string) => `Not everything could be read. ${sentence}`,
  loading: 'Loading …',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser does not allow copying. Press Ctrl+C or ⌘C.',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  pageNumber: (page: number) => `Page ${page}`,
  downloadCsv: 'Download CSV',
  csvProgress: (rows: string) => `${rows} rows read …`,
  csvDone: (rows: string) => `Downloaded ${rows} rows.`,
  tooManyDigits:
    'An amount has more digits than this page can read. The command “ledger statement --csv” writes all of them.',
  showTable: 'Show as table',
  range: 'Range',
  clicks: 'Clicks',
  signUps: 'Sign-ups',
  paying: 'Paying',
  ofClicks: 'of clicks',
  ofSignUps: 'of sign-ups',
  chart: 'Chart',
  ranges: { '7d': '7 days', '30d': '30 days', '90d': '90 days', '12m': '12 months' },
  day: 'Day',
  month: 'Month',
  before: (range: string) => `against the ${range} before`,
  changes: (range: string) => `Changes are against the ${range} before.`,
  readAt: (time: string) => `As of ${time}. New events appear within two minutes. Days are in UTC.`,
  test: 'Test',
  amount: 'Amount',
  search: 'Search',
  showAll: 'Show all',
  advocate: 'Advocate',
  rate: 'Rate',
  actions: 'Actions',
  paused: 'paused',
  erased: 'Erased',
  copyLink: 'Copy link',
  email: 'Email',
  yourId: 'Your id',
  erase: 'Erase',
  typeErase: 'Type erase to confirm',
  created: 'Created',
  state: 'State',
  result: 'Result',
  duration: 'Duration',
  statements: 'Statements',
  note: 'Note',
  all: 'All',
  noMatches: 'No referrals match the filters.',
  clearFilters: 'Clear filters',
  subId: 'Sub id',
  earnsUntil: 'Earns until',
  always: 'No end',
  date: 'Date',
  kind: 'Kind',
  noCommission: {
    rejected: 'No commission: the referral is rejected.',
    ended: 'No commission: the time for commissions has ended.',
    no_rate: 'No commission: no rate was set.',
    no_rule: 'No commission: no rule matches.',
  },
} as const;

/** Returns the noun with an "s" unless there is exactly one. */
function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
