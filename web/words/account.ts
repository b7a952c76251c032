/** The words of an advocate's account, for translators. */
export const ACCOUNT = {
  title: 'Your account',
  signInTitle: 'Sign in to your account',
  signInFor: 'For advocates, who recommend a program.',
  expiredAdvice: 'Sign in again. What you see here stays as it is.',
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  saveName: 'Save name',
  emails: 'Emails to you',
  emailChoices: {
    paying: 'When a customer whom I referred pays for the first time',
    settled: 'When I am paid',
  },
  emailsHint: 'Emails about signing in and your payout account always arrive.',
  saveEmails: 'Save emails',
  payoutAccount: 'Payout account',
  savePayoutAccount: 'Save payout account',
  noAccount: 'You have no payout account yet.',
  method: 'Method',
  methods: { paypal: 'PayPal', bank: 'Bank transfer', other: 'Another way' },
  noMethod: 'None',
  accountOf: { paypal: 'Email at PayPal', bank: 'IBAN', other: 'How to pay you' },
  describe: (method: string, account: string) => `${method}: ${account}`,
  payouts: 'Payouts',
  pendingTerm: (until: string) => `wait until ${until}`,
  pending: (until: string) =>
    `Payouts wait until ${until}, because your payout account or your email address is new. If you did not change the account, use the link in the email about the change to undo it.`,
  saved: 'Saved.',
  signInAgain: 'Sign in again',
  signInAgainAdvice:
    'To protect your money, the payout account can be changed only within 15 minutes after signing in. Nothing was changed.',
  undoTitle: 'Undo the change of the payout account',
  undoAdvice:
    'Your previous payout account comes back, and you are signed out on all devices. Do this if somebody else changed the account.',
  undo: 'Undo the change',
  undone: 'The change is undone',
  undoneAdvice:
    'You are signed out on all devices within 30 seconds. If somebody else made the change, they may be able to read your emails: change the password of your mailbox.',
  undoEndedAdvice: 'It was used, or the change cannot be undone any more. Sign in to see your payout account.',
} as const;
