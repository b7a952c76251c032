/** The words around the views of the merchant's page, for translators. */
export const title = 'Dashboard';
export const productName = 'Referral tracking';
export const signInTitle = 'Sign in to the dashboard';
export const signInFor = 'See who refers customers to you, what they bring, and whom to pay.';
export const signInAdvice =
  'Open the link in your invitation or from the command “dashboard”, or paste a program token with the scope read.';
export const token = 'Program token';
export const signIn = 'Sign in';
export const useToken = 'Use a program token';
export const wrongToken = 'This token is not valid, or has expired.';
export const cannotSignIn = 'This token cannot sign in';
export const cannotSignInAdvice = 'The dashboard needs a program token with the scope read.';
export const expiredAdvice = 'Sign in again. What you see and typed here stays as it is.';
export const account = 'Account';
export const test = 'Test';
export const noRate = 'Payments earn advocates nothing: no commission is set.';
export const noProgramRate = 'No commission is set for the program.';
export const setRate = 'Set the commission';
export const unsaved = 'Leave without saving? Your changes are lost.';
export const currency = 'Currency';
export const currencyHint = 'Three letters, such as EUR.';
export const wrongAmount = (currency: string, decimals: number) =>
  decimals === 0
    ? `The amount must be a whole number in ${currency.toUpperCase()}.`
    : `The amount must be a number with at most ${decimals} decimals and a point, such as 49.00.`;
export const wrongCurrency = 'The currency must have three letters, such as EUR.';
export const secondBalance = (currency: string) => `This opens a second balance in ${currency.toUpperCase()}.`;

/** The names of the views, as in the navigation and the title of the page. */
export const VIEWS = {
  overview: 'Overview',
  advocates: 'Advocates',
  applications: 'Applications',
  referrals: 'Referrals',
  payouts: 'Payouts',
  settings: 'Settings',
  developers: 'Developers',
} as const;
export const notTyped = 'Type the word erase to confirm.';
