/** The words of signing in by email, for translators. */
export const SIGN_IN = {
  advice: 'Enter your address, and you get a link. There is no password.',
  send: 'Send me a link',
  sendAgain: 'Send again',
  after: (seconds: number) => `in ${seconds} s`,
  sent: 'If we know this address, a link is on its way. It works for 15 minutes.',
  unknownProgram: 'This address is incomplete. Ask the shop for its sign-in link, or use a link in one of its emails.',
  linkTitle: 'Sign in',
  linkAdvice: 'Press the button to sign in.',
  continue: 'Continue',
  continueAs: 'Continue as',
  keep: 'Keep me signed in on this device',
  keepHint: (days: number) => `For ${days} days. Leave this off on a device that others use.`,
  linkEnded: 'This link no longer works',
  linkEndedAdvice: 'It was used, or its 15 minutes have passed. Ask for a new one.',
} as const;
