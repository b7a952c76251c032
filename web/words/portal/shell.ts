/** The words of the advocate's page around its views, for translators. */

export const title = 'Referrals';
export const home = 'Home';
export const links = 'Links';
export const referrals = 'Referrals';
export const earnings = 'Earnings';
export const account = 'Account';
export const testHint = 'Test data: no real money';
export const noToken = 'Open this page from your account';
export const noTokenAdvice =
  'The program that you recommend links to this page from your account there. Each link works for a while.';
export const expiredAdvice = 'Open this page from your account again. What you see here stays as it is.';
export const expiredSignIn = 'Sign in again. What you see here stays as it is.';
export const frameFailed = 'The website could not open your referrals. Try again, or reload the page.';
export const frameRefused =
  'The service does not accept the token that the website has sent for you. Try again, or tell the website.';
export const frameAsks = 'Asking the website again. This can take 30 seconds.';
export const paused = 'Your link is paused';
export const pausedAdvice =
  'New visitors of your link do not count. Your earlier referrals and your balance stay. Ask the program why.';
