/** The words of the view "Referrals", for translators. */
export const title = 'Referrals';
export const visitor = 'Visitor';
export const searchHint = 'Email or your id';
export const searching = 'Search looks at all referrals. The filters are off.';
export const noResult = 'No email and no id begins like this.';
export const whyMissing = 'Why is this customer missing?';
export const order = 'The range is of the last change.';
export const allTime = 'All time';
export const selfReferrals = 'Possible self-referrals';
export const eitherFilter = 'Clear the other filter first.';
export const selfReferral = 'Possible self-referral';
export const noReferrals = 'No referrals yet. They appear here when referred visitors sign up.';
export const customer = 'Customer';
export const signedUp = 'Signed up';
export const lastChange = 'Last change';
export const revenue = 'Revenue';
export const commission = 'Commission';

export const add = 'Add referral';
export const newReferral = 'New referral';
export const emailOrId = 'The email, your id of the customer, or both.';
export const referral = 'Referral';
export const flaggedAdvice =
  'The customer looks like the advocate. Reject the referral if your program does not allow that.';
export const earned = 'Commission so far';
export const payments = 'Payments';
export const terms = 'Commission';
export const noTerms = 'No commission was set';
export const eachPayment = (rate: string) => `${rate} of each payment`;
export const ends = 'Commission until';
export const noEnd = 'No end';
export const code = 'Code';
export const label = 'Label';
export const yourFields = 'Your fields';
export const why = 'Why this advocate';
export const lost = (slug: string, code: string | undefined) =>
  `${code === undefined ? 'Another link or code' : `The code ${code}`} of this customer was of ${slug}.`;

export const linksFirst = 'Links come before codes.';
export const codesFirst = 'Codes come before links.';
export const named = 'Your server named the advocate.';

export const entries = 'Entries';
export const noEntries = 'No payments yet.';
export const entry = 'Entry';

export const rule = (number: number) => `Rule ${number}`;
export const payingSeen = (count: string) => `with ${count} paying customers`;
export const forAdvocate = (slug: string) => `for ${slug}`;
export const withdraw = 'Withdraw commission';
export const withdrawAdvice = (slug: string, amount: string) =>
  `${slug} loses what is left of ${amount}. The payment stays. This cannot be undone.`;
export const withdrawHint = 'Why. The advocate sees it.';
export const withdrawn = 'The commission is withdrawn.';

export const history = 'History';
export const what = 'What happened';
export const by = 'By';
export const moved = (from: string, to: string) => `Moved from ${from} to ${to}`;
export const wasErased = 'The customer was erased';

/** Who did something, by the name in the API. */
export const ACTORS: Readonly<Record<string, string>> = {
  visitor: 'Visitor',
  page: 'Your page',
  merchant: 'You or your server',
  operator: 'Command line',
  import: 'Import',
  stripe: 'Stripe',
};

export const change = 'Change';
export const notAllowed = 'To change referrals, you need the scope “track”.';
export const changeState = 'Change state';
export const newState = 'New state';
export const isNow = (state: string) => `Now: ${state}`;

/** What a new state does. */
export const EFFECTS = {
  converted: 'Takes a rejection back.',
  paid: 'Counts as a paying customer. Record the payment itself with “Record payment”.',
  churned: 'The customer has left. Commissions so far stay.',
  rejected: 'Later payments earn nothing. Commissions so far stay until you withdraw them.',
} as const;

export const stateChanged = (state: string) => `The referral is now “${state}”.`;
export const move = 'Move';
export const newAdvocate = 'New advocate';
export const moveAdvice = (slug: string) =>
  `Later payments earn for the new advocate, by its commission. Commissions so far stay with ${slug}.`;
export const movedTo = (slug: string) => `The referral now belongs to ${slug}.`;
export const recordPayment = 'Record payment';
export const paymentId = 'Payment id';
export const paymentIdHint = 'Such as the number of the invoice. Never an email or a name.';
export const amountHint = 'What the customer paid, without tax, such as 49.00.';
export const paymentRecorded = (commission: string) => `The payment is recorded. Commission: ${commission}.`;
export const unanswered = 'It is not known whether this was recorded. Press again: it is recorded once.';
export const eraseAdvice = 'This deletes email, your id and your fields for ever. State, dates and commissions stay.';
export const erased = 'The customer is erased.';
