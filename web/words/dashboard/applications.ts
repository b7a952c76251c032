/** The words of the view "Applications", for translators. */
export const title = 'Applications';
export const STATES = {
  pending: 'Waiting',
  approved: 'Approved',
  rejected: 'Declined',
  unconfirmed: 'Not confirmed',
} as const;
export const EMPTY = {
  pending: 'No application waits. People apply on a page of yours: Settings, Applications.',
  approved: 'No application is approved yet.',
  rejected: 'No application was declined in the last 30 days.',
  unconfirmed: 'No application waits for its confirmation.',
} as const;
export const notAllowed = 'To see applications, you need the scope “advocates”.';
export const applicant = 'Applicant';
export const noName = 'No name';
export const confirmed = 'Email confirmed';
export const unconfirmed = 'Email not confirmed';
export const answers = 'Answers';
export const flags = 'Notes';
export const FLAGS = {
  disposable_email: 'This email soon disappears: its provider gives addresses for minutes.',
  answer_missing: 'A required answer is missing.',
  advocate_exists: 'An advocate has this email already.',
} as const;
export const sent = 'Sent';
export const approve = 'Approve';
export const approves = (name: string) => `${name} becomes an advocate, and gets an email with the link.`;
export const approved = (name: string) => `${name} is an advocate now.`;
export const decline = 'Decline';
export const noteHint = 'You see it here. The applicant sees it only in the email.';
export const notify = 'Send an email to the applicant';
export const mayApplyAgain = 'May apply again now, not only after 180 days';
export const declines = (name: string, isTold: boolean, hasNote: boolean) =>
  `${name} gets no link and ${isTold ? `an email${hasNote ? ' with the note' : ''}` : 'is not told'}.`;
export const overtaken = 'Somebody else has decided on this application.';
export const declined = (name: string) => `The application of ${name} is declined.`;
