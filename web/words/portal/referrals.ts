/** The words of the view "Referrals", for translators. */

export const customer = 'Customer';
export const noEmail = 'Not shown';
export const signedUp = 'Signed up';
export const source = 'Label or code';
export const payments = 'Payments';
export const earned = 'Earned';
export const none = 'No sign-ups yet. Share your link: people who follow it and sign up appear here.';
export const cut = 'These are the newest 10,000 rows. For others, filter by state.';
export const commission = 'Commission';
export const rejected = 'None. Ask the program why it was rejected.';
export const until = (sentence: string, date: string) => `${sentence}, until ${date}`;
