/** The words of the view "Account" and of signing in to it, for translators. */

export const signIn = 'Sign in';
export const signInTo = (program = 'your account') => `Sign in to ${program}`;
export const advice = (program = 'a program') =>
  `For people who recommend ${program}. Enter your address, and we send you a sign-in link. There is no password.`;
export const name = 'Name';
export const firstName = 'First name';
export const lastName = 'Last name';
export const saveName = 'Save name';
export const emails = 'Emails to you';
export const emailChoices = {
  paying: 'When a customer whom I referred pays for the first time',
  settled: 'When I am paid',
};
export const emailsHint = 'Emails about signing in and your payout account always arrive.';
export const saveEmails = 'Save emails';
export const payoutAccount = 'Payout account';
export const savePayoutAccount = 'Save payout account';
export const noAccount = 'You have no payout account yet.';
export const method = 'Payout method';
export const methods = { paypal: 'PayPal', bank: 'Bank transfer', other: 'Other' };
export const noMethod = 'None';
export const accountHints = { paypal: 'Your email at PayPal', bank: 'Your IBAN', other: 'How to pay you' };
export const describe = (way: string, account: string) => `${way}: ${account}`;
export const pending = (until: string) =>
  `Payouts wait until ${until}: your payout account or your email address is new. If somebody else changed the account, undo it by the link in the email about it.`;
export const saved = 'Saved.';
export const signInAgain = 'Sign in again';
export const signInAgainAdvice =
  'The payout account can be changed only within 15 minutes after signing in. Nothing was changed.';
export const undoTitle = 'Undo the change of the payout account';
export const undoAdvice =
  'Do this if somebody else changed the account: the previous one comes back, and you are signed out on all devices.';
export const undo = 'Undo the change';
export const undone = 'The change is undone';
export const undoneAdvice =
  'You are signed out on all devices within 30 seconds. If somebody else made the change, change the password of your mailbox.';
export const undoEndedAdvice = 'It was used, or is too old. Sign in to see your payout account.';
export const you = 'You';
export const terms = 'Terms';
export const commission = 'Commission';
export const rate = (percentage: string, months: number | null) =>
  `${percentage} of each payment${months === null ? '' : ` for ${count(months, 'month')}`}`;
export const noRate = 'Ask the program what you earn.';
export const attribution = 'Attribution window';
export const attributionDays = (days: number) =>
  `A visitor who signs up within ${count(days, 'day')} of following your link counts for you.`;
export const hold = 'Hold period';
export const holdDays = (days: number) =>
  days === 0 ? 'none' : `A commission is due ${count(days, 'day')} after the payment.`;
export const keptBy = (program: string) => `${program} keeps these. Ask them to change something.`;
export const minimum = 'Minimum payout';
export const payoutDay = 'Payout day';
export const payoutDayOf = (day: number) => `The ${ordinal(day)} of each month`;

const ordinal = (day: number) => `${day}${['th', 'st', 'nd', 'rd'][day < 4 || day > 13 ? day % 10 : 0] ?? 'th'}`;
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
