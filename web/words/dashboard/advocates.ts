/** The words of the view "Advocates", for translators. */
export const title = 'Advocates';
export const searchHint = 'Name, email, link';
export const add = 'Add advocate';
export const importCsv = 'Import CSV';
export const applications = (waiting: number, hasMore: boolean) =>
  waiting === 0 ? 'Applications' : `Applications (${waiting}${hasMore ? '+' : ''})`;
export const status = 'Status';
export const statuses = { active: 'Active', paused: 'Paused' } as const;
export const group = 'Group';
export const noGroup = 'No group';
export const revenue = 'Revenue';
export const earned = 'Earned';
export const balance = 'Balance';
export const allTime = 'All time';
export const notByLink = 'not by link';
export const sortingOff = 'Sorting is off during a search.';
export const empty = 'No advocates yet. Add the first one.';
export const noMatch = 'No advocate matches.';
export const cut = 'These are the first 10,000. The command “export” writes all.';
export const payingCount = (count: string) => `${count} paying`;
export const actionsFor = (name: string) => `Actions for ${name}`;

export const openPage = 'Open their page';
export const opened = (name: string) => `The page of ${name} opens in a new tab.`;
export const pause = 'Pause link';
export const resume = 'Resume link';
export const pausedOne = (name: string) => `The link of ${name} is paused. It takes up to 30 seconds.`;
export const resumedOne = (name: string) => `The link of ${name} works again. It takes up to 30 seconds.`;
export const pausedMany = (count: number) => `${count} links are paused.`;
export const resumedMany = (count: number) => `${count} links work again.`;
export const nothingToDo = 'Nothing to change.';
export const saved = (name: string) => `${name} is saved.`;
export const addedOne = (name: string) => `${name} is added.`;
export const selected = (count: number) => `${count} selected`;
export const clear = 'Clear';
export const pauseLinks = 'Pause links';
export const resumeLinks = 'Resume links';
export const setGroup = 'Set group';
export const grouped = (count: number, group: string | undefined) =>
  `${advocates(count)} ${group === undefined ? 'in no group now' : `moved to ${group}`}.`;

export const firstName = 'First name';
export const lastName = 'Last name';
export const linkName = 'Link name';
export const linkNameHint = 'Part of the link, for ever. Empty: from the name.';
export const company = 'Company';
export const commission = 'Commission';
export const commissionHint = 'Percent. Empty: as the group or the program.';
export const wrongCommission = 'Commission must be a number from 0 to 100, such as 12.5.';

export const due = 'Due';
export const onHold = 'On hold';
export const paidSoFar = 'Paid so far';
export const payOut = 'Pay out';
export const edit = 'Edit';
export const since = (date: string) => `since ${date}`;
export const invite = 'Invite';
export const invited = (email: string) => `An email with the link is on its way to ${email}.`;
export const all = 'All advocates';
export const nothingYet = 'Nothing in this range yet.';
export const about = 'About this advocate';
export const what = 'What';

export const bonus = 'Add bonus or correction';
export const bonusHint = 'With a minus, it is taken away.';
export const bonusNote = 'The advocate sees it.';
export const gives = (name: string, amount: string) => `${name} gets ${amount}.`;
export const takes = (name: string, amount: string) => `${name} loses ${amount}.`;
export const zero = 'Amount must not be 0.';
export const bonusDone = (name: string, amount: string) => `${amount} recorded for ${name}.`;
export const unanswered = 'It is not known whether this was recorded. Save again: it is recorded once.';

export const referrals = 'Referrals';
export const entries = 'Entries';
export const linksAndCodes = 'Links and codes';
export const detailsTab = 'Details';
export const noReferrals = 'No referrals yet.';
export const allReferrals = 'All referrals';
export const noEntries = 'No entries yet.';

export const labels = 'Labels';
export const label = 'Label';
export const noLabels = 'A label appears once somebody follows its link.';
export const codes = 'Codes';
export const code = 'Code';
export const noCodes = 'No codes yet. Customers type a code instead of following a link.';
export const addCode = 'Add code';
export const codeHint = 'Belongs to this advocate for ever.';
export const codeAdded = (code: string) => `The code ${code} works now.`;
export const codeState = { on: 'Works', off: 'Off' } as const;
export const turnOff = 'Turn off';
export const turnOn = 'Turn on';
export const turnedOff = (code: string) => `The code ${code} credits nobody now.`;
export const turnedOn = (code: string) => `The code ${code} works again.`;

export const added = 'Added';
export const terms = 'Commission';
export const acceptedTerms = 'Accepted terms';
export const termsOf = (version: string, date: string) => `Version ${version} on ${date}`;
export const account = 'Payout account';
export const noAccount = 'None yet';
export const hiddenAccount = 'Needs the scope “payouts”.';
export const method = 'Payout method';
export const methods = { paypal: 'PayPal', bank: 'Bank transfer', other: 'Other' } as const;
export const noMethod = 'None';
export const changeAccount = 'Change payout account';
export const accountChanged = 'The payout account is changed.';
export const waits = (date: string) => `New. Payouts leave it out until ${date}.`;
export const endSessions = 'End sessions';
export const endSessionsAdvice = (name: string) =>
  `${name} is signed out everywhere within 30 seconds, and may sign in again.`;
export const sessionsEnded = (name: string) => `${name} is signed out.`;
export const eraseTitle = 'Erase this advocate';
export const eraseAdvice = 'Name, email, id and payout account are deleted for ever, and the link stops. Numbers stay.';
export const erasedDone = 'The advocate is erased.';

export const file = 'CSV file';
export const fileHint =
  'At most 500 rows. The first line names the columns: email, first_name, last_name, slug, uid, company, commission, group.';
export const preview = 'Rows';
export const row = 'Row';
export const tooManyRows = (count: string) => `The file has ${count} rows. Split it: 500 rows fit.`;
export const noEmailColumn = 'No column is named “email”.';
export const ignored = (names: string) => `Left out: ${names}.`;
export const importCount = (count: number) => `Import ${advocates(count)}`;
export const importRest = (count: number) => `Import the other ${count}`;
export const ready = 'Ready';
export const addedRow = 'Added';
export const skipped = (reason: string) => `Skipped: ${reason}`;
export const failedRow = (reason: string) => `Failed: ${reason}`;
export const noEmail = 'no email';
export const known = 'this email is an advocate already';
export const twice = (row: number) => `repeats row ${row}`;
export const done = (count: number, of: number) => `${count} of ${of} done`;
export const summary = (added: number, skippedRows: number, failed: number, open: number) =>
  `${added} added, ${skippedRows} skipped, ${failed} failed, ${open} ready.`;
export const failedCsv = 'Download failed rows';
export const reason = 'reason';
export const noRows = 'The file has no rows.';

const advocates = (count: number) => (count === 1 ? '1 advocate' : `${count} advocates`);
