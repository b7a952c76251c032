/** The words of signing in by email, for translators. */

export const send = 'Send sign-in link';
export const sendAgain = 'Send again';
export const after = (seconds: number) => `in ${seconds} s`;
export const sent = 'If we know this address, a link is on its way. It works for 15 minutes.';
export const unknownProgram =
  'This address is incomplete. Ask the shop for its sign-in link, or use a link in one of its emails.';
export const linkTitle = 'Sign in';
export const linkAdvice = 'Press the button to sign in.';
export const continueAlone = 'Continue';
export const continueAs = 'Continue as';
export const keep = 'Keep me signed in on this device';
export const keepHint = (days: number) => `For ${days} days. Leave this off on a device that others use.`;
export const linkEnded = 'This link no longer works';
export const linkEndedAdvice = 'It was used, or its 15 minutes have passed. Ask for a new one.';
