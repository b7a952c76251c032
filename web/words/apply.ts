/** The words of applying to become an advocate, for translators. */
export const APPLY = {
  title: 'Become an advocate',
  heading: (program: string) => `Become an advocate of ${program}`,
  offer: (program: string) => `Do you want to recommend ${program}?`,
  toSignIn: 'Sign in instead',
  optional: (label: string) => `${label} (optional)`,
  choose: 'Choose …',
  terms: 'Terms of the program (opens in a new tab)',
  accept: 'I accept the terms',
  send: 'Apply',
  sent: (email: string) =>
    `If ${email} can apply, an email is on its way to it: open its link to confirm the application.`,
  back: 'Change the application',
  changed: 'The program has changed its form. Nothing was sent: check your answers, then apply again.',
  yourApplication: 'Your application',
  confirmAdvice: 'Is this your application? It reaches the program only after you have confirmed it.',
  confirm: 'Confirm the application',
  states: {
    pending: (program: string) =>
      `Your application is confirmed, and ${program} decides about it. If it is approved, you get an email.`,
    approved: (program: string) => `You are an advocate of ${program}. Sign in to see your link.`,
    rejected: (program: string) => `${program} has not accepted your application.`,
  },
  endedAdvice:
    'It has expired, or you have sent another application since. Apply again, or sign in if you were approved.',
} as const;
