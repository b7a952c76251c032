import type { Seconds } from '../../../kernel/time.ts';

/** The words of all emails, for translators. Names are safe already; HTML escapes the sentences as a whole. */
export const WORDS = {
  greeting: (firstName: string | null) => (firstName === null ? 'Hello,' : `Hello ${firstName},`),
  /** Replaces a name of which nothing is safe. */
  namelessProgram: 'the referral program',
  /** Replaces `{link}` if an email has several links. */
  severalLinks: 'the links below',
  unsubscribe: 'Unsubscribe from these emails',
  openAccount: 'Open your account',
  becauseAdvocate: (program: string) => `You get this email because you refer customers to ${program}.`,

  signIn: {
    portal: (program: string) => `your ${program} referrals`,
    dashboard: (program: string) => `the ${program} dashboard`,
    subject: (place: string) => `Sign in to ${place}`,
    heading: 'Sign in',
    one: (place: string) => `Here is your link to sign in to ${place}.`,
    several: 'Several accounts use this address. Choose the account that you want to open.',
    button: 'Sign in',
    buttonOf: (name: string) => `Sign in as ${name}`,
    nameless: (position: number) => `account ${position}`,
    oneExpires: 'The link works once and for 15 minutes.',
    severalExpire: 'Each link works once and for 15 minutes.',
    ignore: 'If you did not ask for this email, ignore it. Nobody can sign in without the link.',
    because: (program: string) =>
      `You get this email because somebody entered this address on the sign-in page or in the application form of ${program}.`,
  },

  paying: {
    subject: (program: string) => `A customer whom you referred to ${program} has paid`,
    heading: 'You have a new paying customer',
    happened: (program: string) =>
      `A customer whom you referred to ${program} has paid for the first time. Your account shows what you earn.`,
    often: 'You get this email at most once a day, even if several customers pay.',
  },

  settled: {
    subject: (program: string, amount: string) => `Your payout from ${program}: ${amount}`,
    heading: 'Your payout',
    happened: (program: string) => `${program} has recorded a payout to you.`,
    amount: 'Amount',
    reference: 'Reference',
    missing: (contact: string) => `It can take a few days until the money arrives. If it does not arrive, ${contact}.`,
  },

  accountChanged: {
    subjectOf: {
      payout: (program: string) => `Your payout account at ${program} was changed`,
      email: (program: string) => `Your email address at ${program} was changed`,
      both: (program: string) => `Your email address and payout account at ${program} were changed`,
    },
    headingOf: {
      payout: 'Your payout account was changed',
      email: 'Your email address was changed',
      both: 'Your email address and payout account were changed',
    },
    account: 'New payout account',
    noAccount: 'None',
    methods: { paypal: 'PayPal', bank: 'Bank transfer', other: 'Another way' },
    signedOut: 'You are signed out on all devices. Sign in again with the new address.',
    pending: (until: Seconds) => `To protect you, payouts to you wait until ${moment(until)}. You lose nothing.`,
    canUndo: (until: Seconds) =>
      `If you changed your payout account, you have nothing to do. If you did not, undo the change now. The link works until ${moment(until)}, and signs you out everywhere.`,
    unexpected: (contact: string) => `If you did not expect a change, ${contact} now.`,
    undo: 'Undo the change',
  },

  invited: {
    subject: (program: string) => `You are invited to the ${program} dashboard`,
    heading: 'You are invited',
    happened: (program: string) => `You can now use the ${program} dashboard, which shows its referral program.`,
    howTo: 'To sign in, enter the address that received this email. You then get a link, and need no password.',
    button: 'Open the dashboard',
    unknown: (program: string) => `If you do not know ${program}, ignore this email.`,
    because: (program: string) => `You get this email because a member of ${program} invited this address.`,
  },

  becauseApplied: (program: string) =>
    `You get this email because somebody entered this address in the application form of ${program}.`,

  confirm: {
    subject: (program: string) => `Confirm your application to ${program}`,
    heading: 'Confirm your application',
    happened: (program: string) =>
      `Somebody applied to recommend ${program} with this address. If it was you, look at the application and confirm it.`,
    button: 'Look at the application',
    expires: 'The link works for 3 days.',
    ignore: 'If you did not apply, ignore this email. The application is then deleted.',
  },

  approved: {
    subject: (program: string) => `Welcome to the referral program of ${program}`,
    heading: 'Welcome',
    happened: (program: string) => `You can now recommend ${program}, and earn something when your customers pay.`,
    share: 'This is your link. Share it with people who may become customers.',
    link: 'Your link',
    howTo:
      'Your account shows clicks, customers and what you earn. To sign in, enter the address that received this email. You then get a link, and need no password.',
  },

  rejected: {
    subject: (program: string) => `Your application to ${program}`,
    heading: 'Your application',
    happened: (program: string) => `${program} has not accepted your application.`,
    questions: (contact: string) => `If you have questions, ${contact}.`,
  },

  waiting: {
    subject: (program: string) => `Somebody wants to recommend ${program}`,
    heading: 'Applications wait for you',
    happened: (program: string) =>
      `Somebody has applied to recommend ${program}. Approve or decline it in the dashboard.`,
    button: 'Open the dashboard',
    often: 'You get this email at most once a day, even if more people apply.',
    because: (program: string) => `You get this email because you can approve the advocates of ${program}.`,
  },

  /** What to do about a mistake. */
  contact: (program: string, canReply: boolean) => (canReply ? 'reply to this email' : `contact ${program}`),
} as const;

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const moment = (second: Seconds) => `${MOMENT.format(second * 1000)} UTC`;
