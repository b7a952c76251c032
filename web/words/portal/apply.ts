/** The words of applying to become an advocate, for translators. */

export const tab = 'Apply';
export const heading = (program?: string) => `Become an advocate${program === undefined ? '' : ` of ${program}`}`;
export const tabs = 'Sign in or apply';
export const again = 'Apply again';
export const signIn = 'Sign in if you are an advocate (opens in a new tab)';
export const optional = (label: string) => `${label} (optional)`;
export const choose = 'Choose …';
export const terms = 'Terms of the program (opens in a new tab)';
export const accept = 'I accept the terms';
export const send = 'Send application';
export const sent = (email: string) =>
  `If ${email} can apply, an email is on its way to it: open its link to confirm the application.`;
export const back = 'Change the application';
export const changed = 'The program has changed its form. Nothing was sent: check your answers, then apply again.';
export const yourApplication = 'Your application';
export const confirmAdvice = 'Is this your application? It reaches the program only after you have confirmed it.';
export const confirm = 'Confirm the application';
export const states = {
  pending: (program: string) =>
    `Your application is confirmed, and ${program} decides about it. If it is approved, you get an email.`,
  approved: (program: string) => `You are an advocate of ${program}. Sign in to see your link.`,
  rejected: (program: string) => `${program} has not accepted your application.`,
};
export const endedAdvice =
  'It has expired, or you have sent another application since. Apply again, or sign in if you were approved.';
