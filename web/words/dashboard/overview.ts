/** The words of the view "Overview", for translators. */
export const attention = 'Needs attention';
/** Says how many of the rows that were read. There may be others, also if there is none among them. */
const some = (count: number, hasMore: boolean, one: string, many: string) =>
  `${hasMore ? (count === 0 ? 'There may be' : 'At least ') : ''}${count || ''} ${count === 1 ? one : many}`;
export const applications = (count: number, hasMore: boolean) =>
  some(count, hasMore, 'application waits for your decision.', 'applications wait for your decision.');
export const selfReferrals = (count: number, hasMore: boolean) =>
  some(count, hasMore, 'possible self-referral in the last 30 days.', 'possible self-referrals in the last 30 days.');
export const missingAccounts = (count: number, hasMore: boolean) =>
  some(
    count,
    hasMore,
    'advocate is owed money without a payout account.',
    'advocates are owed money without a payout account.',
  );
export const webhookDisabled = (url: string) => `The webhook to ${url} is disabled.`;
export const webhookFailing = (url: string, since: string) => `The webhook to ${url} has been failing since ${since}.`;
export const review = 'Review';
export const seePayouts = 'See payouts';
export const openWebhooks = 'Open webhooks';

export const now = 'Now';
export const owed = 'Owed';
export const owedNote = 'on hold included';
export const nothingOwed = 'Nothing';
export const dueNow = (amount: string) => `Due now: ${amount}`;
export const onHold = (amount: string) => `On hold: ${amount}`;
export const payOut = 'Pay out';

export const nothingYet = 'Nothing happened in these days.';
export const inviteAdvocates = 'Invite more advocates';

export const topAdvocates = 'Top advocates';
export const noTop = 'Nobody has brought anything in these days.';
export const leftOut = 'Too many advocates for these days. Choose fewer.';
export const latest = 'Latest changes';
export const allReferrals = 'All referrals';
export const noLatest = 'No referrals yet.';
/** What happened to a referral, after "Hana’s referral ada@…". */
export const CHANGES = {
  clicked: 'visited',
  converted: 'signed up',
  paid: 'started paying',
  churned: 'cancelled',
  rejected: 'was rejected',
} as const;
export const referralOf = (advocate: string) => `${advocate}’s referral`;
