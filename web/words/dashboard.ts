/** The words of the merchant's page, for translators. */
export const DASHBOARD = {
  title: 'Dashboard',
  token: 'Program token',
  signIn: 'Sign in',
  signInAdvice: 'Open a link of the command “dashboard”, or paste a program token with the scope read.',
  wrongToken: 'This token is not valid, or has expired.',
  cannotSignIn: 'This token cannot sign in',
  cannotSignInAdvice: 'The dashboard needs a program token with the scope read.',
  expiredAdvice: 'Sign in again. What you see and typed here stays as it is.',
  test: 'test',
  noRate: 'The program has no commission rate',
  noRateAdvice:
    'Payments earn nothing, also later: a referral keeps the rate with which it was created. 0 means that advocates earn nothing by default.',
  setRate: 'Set the rate',
  navigation: 'Views',
  views: {
    overview: 'Overview',
    referrals: 'Referrals',
    advocates: 'Advocates',
    money: 'Money',
    developers: 'Developers',
  },
  currency: 'Currency',
  currencyHint: 'Three letters, such as usd.',
  wrongAmount: (currency: string, decimals: number) =>
    decimals === 0
      ? `The amount must be a whole number in ${currency.toUpperCase()}.`
      : `The amount must be a number with at most ${decimals} decimals and a point, such as 49.00.`,
  wrongCurrency: 'The currency must have three letters, such as usd.',
} as const;
