/** The words of the view "Payouts", for translators. */
export const owed = 'Owed';
export const overpaid = 'Overpaid';
export const paid = 'Paid';
export const lastMonths = 'in 12 months';
export const toPay = 'To pay';
export const method = 'Method';
export const due = 'Due';
export const onHold = 'On hold';
export const dueFrom = (day: string) => `due from ${day}`;

export const noAccount = 'No payout account';

/** What is wrong with typed amounts by currency, after the name of their field. */
export const decimalPoint = 'must be written like 1250.50 EUR';
export const twice = (currency: string) => `has ${currency} twice`;

/** The payout methods by their names in the API. */
const METHODS: Readonly<Record<string, string>> = { paypal: 'PayPal', bank: 'Bank transfer', other: 'Other' };
export const methodOf = (method: string | null) => (method === null ? noAccount : (METHODS[method] ?? method));
export const belowMinimum = (minimum: string) => `Below your minimum of ${minimum}`;
export const pending = (day: string) => `New payout account: waits until ${day}`;
export const tooLarge = 'Too large to pay here';
export const selectAllDue = 'Select all due';
export const selection = 'Selection';
export const nobodySelected = 'Nobody selected';
export const selected = (count: number, total: string) => `${people(count)} · ${total}`;
export const notAll = 'More advocates follow. Pay these, then select again.';
export const nothingDue = (name: string) => `Nothing is due to ${name} now.`;
export const payOut = 'Pay out';
export const nobodyOwed = 'Nobody is owed anything. Advocates earn when their customers pay.';
export const connectPayments = 'Connect your payments';
export const readOnly = 'You see what is owed. To record payouts, you need the scope “payouts”.';

export const payout = 'Payout';
export const advice = 'This records what you pay, and moves no money. Then you get the files for PayPal and your bank.';
export const run = 'Run';
export const runHint = 'The name of this payout. One run pays nobody twice.';
export const runTaken = 'This run exists. It pays only advocates whom it has not paid yet.';
export const total = 'Total';
export const totalOf = (count: number, total: string) => `${total} to ${people(count)}`;
export const changed = 'What is due has changed';
export const changedAdvice = 'Nothing was recorded for these advocates. Check the new amounts, then press again.';
export const was = (before: string) => `was ${before}`;
export const record = 'Record payout';
export const unanswered = 'It is not known whether this was recorded. Press again: nobody is paid twice.';
export const recorded = (result: string, total: string) => `${result}: ${total}.`;
export const nothingRecorded = 'Nothing was recorded.';
export const done = 'Done';

/** What became of an advocate in a payout. */
export const RESULTS = {
  open: 'Not recorded yet',
  sending: 'Recording …',
  unanswered: 'Not known yet',
  settled: 'Recorded',
  settled_before: 'Recorded before',
  left_out: 'Not recorded',
} as const;

/** Why a run pays an advocate nothing, by the reason of the API. */
export const NOT_PAID = {
  nothing_payable: 'Nothing is due any more',
  below_minimum: 'Below the minimum',
  payout_pending: 'New payout account: waits',
} as const;

export const files = 'Files';
export const filesOf = (name: string) => `Files of ${name}`;

/** The buttons of a run's files, by the format of the API. */
export const DOWNLOADS = {
  paypal: 'Download PayPal file',
  sepa: 'Download SEPA file',
  csv: 'Download CSV',
} as const;

export const downloaded = (file: string) => `Downloaded ${file}.`;
export const notInFile = (people: string) => ` Not in it: ${people}.`;
export const emptyFile = 'This file would pay nobody. “Download CSV” says why.';
export const andMore = (count: number) => `${count} more`;

/** Why a file does not pay an advocate, by the reason of the API. */
export const LEFT_OUT = {
  no_account: 'no payout account',
  payout_pending: 'new payout account',
  account_changed: 'payout account changed',
  other_method: 'another method',
  unsupported_amount: 'amount not allowed',
} as const;

export const bankAccount = 'Your bank account';
export const bankAdvice = 'The SEPA file pays from this account.';
export const holder = 'Account holder';
export const iban = 'IBAN';

export const history = 'Payout history';
export const advocates = 'Advocates';
export const noRuns = 'No payouts yet.';
export const showMore = 'Show more';
export const atLeast = (amount: string) => `at least ${amount}`;
export const monthly = 'What each advocate earned and was paid in a month.';
export const cut = 'These are the first 10,000 rows. For the others, use the command “export”.';

/** Returns a number of advocates. */
function people(count: number): string {
  return count === 1 ? '1 advocate' : `${count} advocates`;
}

export const noStatements = 'Nobody earned or was paid anything in this month.';

/** The columns of the statements of a month. */
export const SUMS = {
  opening: 'Opening balance',
  commissions: 'Commissions',
  adjustments: 'Bonuses',
  settlements: 'Paid',
  closing: 'Balance',
} as const;
