/** The words that both pages share, for translators. */

export const noConnection = 'No connection';
export const noConnectionAdvice = 'The service does not respond. Check your connection, then try again.';
export const notLoaded = 'Not loaded.';
export const slow = 'The service takes longer than usual. This page still waits for its answer.';
export const notTheService = 'Something between you and the service answered. A login page or a proxy can do this.';
export const ownFault = 'Something in this page went wrong. Reload the page, then try again.';
export const retry = 'Try again';
export const failed = 'Not everything could be loaded';
export const refusedChange = 'This did not work';
export const busy = 'The service is busy. Please wait.';
export const waiting = (seconds: number) =>
  `The service is busy. The page tries again in ${seconds} ${plural(seconds, 'second')}.`;
/** For responses without a sentence of the API, such as the gateway's own. */
export const withoutSentence = (status: number, path: string) => {
  if (status === 404 && /^\/v2\/(?:sign-in|session|apply|applications)/.test(path)) {
    return 'This deployment sends no emails. Deploy it with emails=on.';
  }
  if (status === 404) return 'This deployment does not have this function yet. Deploy the newest version.';
  if (status === 429 || status === 503) return 'The service is still busy. Try again in a minute.';
  if (status === 413) return 'The text is longer than the service accepts. Shorten it.';
  return `The service returned an error (status ${status}). Try again later.`;
};
/** Fields whose names in the API's sentences are others. */
export const fields: ReadonlyMap<string, string> = new Map([
  ['slug', 'Link name'],
  ['uid', 'Your id'],
  ['sub_id', 'Label'],
  ['metadata', 'Your fields'],
  ['affiliate_slug', 'Advocate'],
  ['email_eq', 'Email'],
  ['payable_after_days', 'Hold period'],
  ['attribution_days', 'Attribution window'],
  ['site_url', 'Site URL'],
  ['commission_percentage', 'Commission'],
  ['commission_months', 'Months'],
]);
/** Stand for the API's sentences that contain words of the API, by its codes. */
export const refusals: ReadonlyMap<string, string> = new Map([
  ['slug_taken', 'Another advocate has this link name. Choose another one.'],
  ['uid_taken', 'Another advocate has this id.'],
  ['invalid_affiliate_slug', 'No active advocate has this link name.'],
  ['range_too_large', 'There is too much to count in this range. Choose a shorter one.'],
  ['state_refused', 'The state cannot change like this. A visit must become a sign-up first.'],
  ['not_converted', 'The customer has not signed up yet.'],
  ['void_exists', 'The commission was withdrawn before, with another note.'],
]);
export const expired = 'Your session has expired';
export const linkRefused = 'This link cannot be used';
export const linkRefusedAdvice =
  'Its token is not valid for this page, or has expired. What you see here stays as it is.';
export const refused = 'This link has expired as well.';
export const otherToken = 'This link opens another account';
export const otherTokenQuestion = 'You opened a link for another account than this page shows.';
export const useOther = 'Open the other account';
export const keepThis = 'Stay here';
export const signedInAs = (name: string) => `Signed in as ${name}`;
export const signOut = 'Sign out';
export const refresh = 'Refresh';
export const reading = 'Reading …';
export const unknown = '…';
export const notAllRead = (sentence: string) => `Not everything could be read. ${sentence}`;
export const loading = 'Loading …';
export const copy = 'Copy';
export const copied = 'Copied';
export const copyFailed = 'The browser does not allow copying. Press Ctrl+C or ⌘C.';
export const close = 'Close';
export const cancel = 'Cancel';
export const save = 'Save';
export const previousPage = 'Previous page';
export const nextPage = 'Next page';
export const pageNumber = (page: number) => `Page ${page}`;
export const downloadCsv = 'Download CSV';
export const csvProgress = (rows: string) => `${rows} rows read …`;
export const csvDone = (rows: string) => `Downloaded ${rows} rows.`;
export const tooManyDigits =
  'An amount has more digits than this page can read. The command “ledger statement --csv” writes all of them.';
export const showTable = 'Show as table';
export const range = 'Range';
export const clicks = 'Clicks';
export const signUps = 'Sign-ups';
export const paying = 'Paying';
export const chart = 'Chart';
export const ranges = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '12m': '12 months',
  'this-month': 'This month',
  'last-month': 'Last month',
  custom: 'Custom',
};
export const from = 'From';
export const to = 'To';
export const wrongDays = (days: number) => `Choose at most ${days} days, the first one first, until today.`;
export const by = 'By';
export const bys = { day: 'Day', week: 'Week', month: 'Month' };
export const currency = 'Currency';
export const otherCurrencies = (amounts: string) => `Also: ${amounts}`;
export const numbers = 'Numbers';
export const measures = {
  revenue: 'Revenue',
  commissions: 'Commissions',
  earned: 'Earned',
  clicks: 'Clicks',
  signUps: 'Sign-ups',
  paying: 'Paying',
};
export const was = (value: string) => `was ${value}`;
export const earlier = 'Before';
export const days = (count: number) => `${count} ${plural(count, 'day')}`;
export const noneOf = (measure: string) => `${measure}: nothing in these days.`;
export const showYear = 'Show 12 months';
export const showDays = 'Show 30 days';
export const points = 'Values, by arrow keys';
export const menu = 'Main';
export const more = 'More';
export const undo = 'Undo';
export const undone = 'Undone.';
export const select = (name: string) => `Select ${name}`;
export const selection = 'Selection';
export const month = 'Month';
export const comparedWith = (days: string, isWithoutToday: boolean) =>
  `${isWithoutToday ? 'Without today, compared' : 'Compared'} with ${days}.`;
export const noAmount = '–';
export const readAt = (time: string) => `As of ${time}. New events appear within two minutes. Days are in UTC.`;
export const test = 'Test';
export const amount = 'Amount';
export const search = 'Search';
export const showAll = 'Show all';
export const advocate = 'Advocate';
export const actions = 'Actions';
export const paused = 'paused';
export const erased = 'Erased';
export const copyLink = 'Copy link';
export const email = 'Email';
export const yourId = 'Your id';
export const erase = 'Erase';
export const typeErase = 'Type erase to confirm';
export const created = 'Created';
export const state = 'State';
export const result = 'Result';
export const duration = 'Duration';
export const statements = 'Statements';
export const note = 'Note';
export const all = 'All';
export const filters = 'Filters';
export const noMatches = 'No referrals match the filters.';
export const clearFilters = 'Clear filters';
export const date = 'Date';

/** The states of a referral, by their names in the API. */
export const states = {
  clicked: 'Visited',
  converted: 'Signed up',
  paid: 'Paying',
  churned: 'Cancelled',
  rejected: 'Rejected',
};
/** What an entry is, by its kind in the API. */
export const kinds = {
  payment: 'Payment',
  refund: 'Refund',
  void: 'Commission withdrawn',
  adjustment: 'Bonus or correction',
  settlement: 'Payout',
};
/** Why a payment earned nothing, by the note of the API. */
export const notes: Readonly<Record<string, string>> = {
  no_rate: 'No commission was set',
  no_rule: 'No rule matches',
  ended: 'Commission period over',
  rejected: 'Referral rejected',
};

/** Returns the noun with an "s" unless there is exactly one. */
function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
