/** The words of the sections "Applications", "People" and "Emails" of the settings, for translators. */
export const applications = 'Applications';
export const applicationModes = [
  ['closed', 'Closed'],
  ['review', 'You approve each one'],
  ['automatic', 'Approved when the email is confirmed'],
] as const;
export const applyText = 'Text above the form';
export const fields = 'Questions';
export const field = 'Question';
export const addField = 'Add question';
export const fieldLabel = 'Question';
export const fieldKind = 'Answer';
export const fieldKinds = [
  ['text', 'One line'],
  ['long', 'Several lines'],
  ['url', 'Web address'],
  ['choice', 'Choice'],
] as const;
export const fieldRequired = 'Required';
export const fieldOptions = 'Options, one on each line';
export const link = 'Application link';
export const copyLink = 'Copy application link';

export const members = 'Members';
export const member = 'Member';
export const inviteMember = 'Invite member';
export const email = 'Email';
export const name = 'Name';
export const scopes = 'Scopes';
export const everything = 'everything';
export const lastSignedIn = 'Last signed in';
export const never = 'Never';
export const you = 'You';
export const actionsFor = (name: string) => `Actions for ${name}`;
export const changeScopes = 'Change scopes';
export const removeMember = 'Remove member';
export const removeAdvice = (name: string) =>
  `${name} is signed out within 30 seconds, and the tokens that ${name} created stop working.`;
export const removed = (name: string) => `${name} is removed.`;
export const removedTokens = (name: string, tokens: string) =>
  `${name} is removed. These tokens stop working: ${tokens}.`;
export const withoutName = 'without a name';
export const invited = (email: string) => `${email} gets an email that says how to sign in.`;
export const scopesChanged = (name: string) => `The scopes of ${name} are changed. The member has to sign in again.`;
export const noChoice = 'need at least one choice';
/** What members and tokens may do by scope: in a table, and in a form. */
export const SCOPES = {
  read: 'see everything',
  track: 'report and change referrals',
  advocates: 'manage advocates',
  payouts: 'pay out',
  admin: 'change settings',
} as const;
export const SCOPE_HINTS = {
  read: 'See everything but tokens',
  track: 'Report and change sign-ups and payments',
  advocates: 'Manage advocates and applications',
  payouts: 'Pay out, add bonuses and corrections',
  admin: 'Change settings, members, tokens and webhooks',
} as const;

export const replyTo = 'Reply to';
export const postalAddress = 'Postal address';
export const sent = 'Emails that are sent';
export const texts = 'Your paragraph in each email';
export const paragraph = 'Paragraph';
export const paragraphHint = 'You can use {program}, {link} and {first_name}.';
export const paragraphHintWithoutName = 'You can use {program} and {link}.';
export const emailPreview = 'Email preview';
export const previewAdvice = 'With example data, as last saved.';
/** The emails by their kinds. */
export const KINDS = {
  sign_in: 'Link to sign in',
  confirm: 'Confirm the application',
  approved: 'Welcome, you are an advocate',
  rejected: 'Application declined',
  paying: 'A customer pays for the first time',
  settled: 'Payout recorded',
  account_changed: 'Payout account or email changed',
  invited: 'Invitation of a member',
  waiting: 'Applications wait, to members',
} as const;
