/** The words of the merchant's page, for translators. */
export const DASHBOARD = {
  title: 'Dashboard',
  token: 'Program token',
  signIn: 'Sign in',
  signInAdvice:
    'Open a link of the command “dashboard”, or paste a program token with the scope read. Are you a member? Open the link in your invitation; it does not expire.',
  signInTitle: 'Sign in to the dashboard',
  signInFor: 'For members, who run a program.',
  useToken: 'Use a program token',
  wrongToken: 'This token is not valid, or has expired.',
  cannotSignIn: 'This token cannot sign in',
  cannotSignInAdvice: 'The dashboard needs a program token with the scope read.',
  expiredAdvice: 'Sign in again. What you see and typed here stays as it is.',
  test: 'test',
  noRate: 'The program has no commission rate',
  noRateAdvice:
    'Payments earn nothing, also later: a referral keeps the rate with which it was created. 0 means that advocates earn nothing by default.',
  setRate: 'Set the rate',
  navigation: 'Views',
  views: {
    overview: 'Overview',
    referrals: 'Referrals',
    advocates: 'Advocates',
    applications: 'Applications',
    money: 'Money',
    developers: 'Developers',
  },
  currency: 'Currency',
  currencyHint: 'Three letters, such as usd.',
  wrongAmount: (currency: string, decimals: number) =>
    decimals === 0
      ? `The amount must be a whole number in ${currency.toUpperCase()}.`
      : `The amount must be a number with at most ${decimals} decimals and a point, such as 49.00.`,
  wrongCurrency: 'The currency must have three letters, such as usd.',
} as const;

/** The words of the view "Overview", for translators. */
export const OVERVIEW = {
  numbers: 'Numbers',
  nothingYet: 'No clicks in this range yet. They appear here within two minutes after somebody follows a link.',
  topAdvocates: 'Top advocates',
  topAdvocatesAdvice: 'Most paying customers of the range first.',
  noTop: 'Nobody has brought anything in this range yet.',
  leftOut: 'The top advocates of this range are left out.',
  latest: 'Latest changes',
  allReferrals: 'All referrals',
  noLatest: 'No referrals yet. A referral appears here when a referred visitor signs up.',
  attention: 'Needs attention',
  selfReferrals: (count: number, hasMore: boolean) =>
    count === 1 && !hasMore
      ? '1 referral of the last 30 days looks like a self-referral.'
      : `${count}${hasMore ? ' or more' : ''} referrals of the last 30 days look like self-referrals.`,
  withoutRate: (count: number, hasMore: boolean) =>
    count === 1 && !hasMore
      ? '1 paying customer has a referral without a rate, so that payments earn nothing.'
      : `${count}${hasMore ? ' or more' : ''} paying customers have referrals without a rate, so that payments earn nothing.`,
  review: 'Review them',
  webhookDisabled: (url: string) => `The webhook to ${url} is disabled.`,
  webhookFailing: (url: string, since: string) => `The webhook to ${url} has been failing since ${since}.`,
  openWebhooks: 'Open webhooks',
  checklist: 'Checklist',
  checklistAdvice: 'The steps to the first paid referral.',
  done: 'Done:',
  open: 'Open:',
  steps: {
    rate: ['Set the commission rate', 'A referral keeps the rate with which it is created. 0 is a rate.'],
    advocate: ['Add the first advocate', 'Advocates recommend you with a link of their own.'],
    click: ['Put the script into your pages', 'Done when the first click arrives.'],
    conversion: ['Report sign-ups', 'Done when the first referred visitor signs up.'],
    payments: ['Let payments arrive', 'Connect Stripe, or report payments from your server.'],
  },
} as const;

/** The words of the view "Money", for translators. */
export const MONEY = {
  advice: 'What each advocate earned and was paid. Payable is as of now, whatever the month is.',
  opening: 'Opening',
  commissions: 'Commissions',
  adjustments: 'Adjustments',
  settlements: 'Settlements',
  closing: 'Closing',
  payable: 'Payable',
  settle: 'Settle',
  settlePage: 'Settle page',
  adjust: 'Adjust',
  empty: 'No advocate has a statement in this month.',
  emptyStripe: 'Payments of referred customers arrive when',
  emptyLink: 'Stripe is connected',
  emptyServer: 'or when your server reports them to POST /v2/payments.',
  emptyPage: 'The advocates of this page have no statement in this month. More advocates follow.',
  cut: 'These are the first 10,000 rows. For the others, use the command “export”.',
  reference: 'Reference',
  referenceHint: 'Such as the number of the bank transfer. The advocate sees it.',
  payableNow: (amount: string) => `Payable now: ${amount}. This records what you paid. The service moves no money.`,
  pending: (date: string) => `Waits until ${date}: the payout account or the email is new.`,
  changed: 'The payable amount changed',
  overtaken: 'Another settlement was recorded',
  changedAdvice: (before: string, now: string) =>
    `It was ${before}, and is ${now} now. Nothing was recorded. Check the amount, then save again.`,
  unanswered:
    'It is not known whether the service recorded this. Save sends exactly the same request again, which is recorded once.',
  notPositive: 'Amount must be more than 0.',
  settled: 'Recorded',
  settledOne: (slug: string) => `The settlement of ${slug} is recorded.`,
  adjusted: (slug: string) => `The adjustment of ${slug} is recorded.`,
  nothingPayable: 'Nothing is payable any more.',
  noteHint: 'Why the advocate gets or loses this. The advocate sees it.',
  adjustHint: 'A bonus, or with a minus a correction.',
  settlePageAdvice: (count: number) =>
    `This records ${count === 1 ? 'one settlement' : `${count} settlements`}: the payable amount of each row of this page.`,
  waiting: 'Not recorded yet',
  changedTo: (now: string) => `Not recorded: ${now} is payable now. Save again to record that amount.`,
  overtakenTo: (now: string) =>
    `Not recorded: another settlement was recorded first, and ${now} is payable now. Save again to record that amount.`,
  failed: (sentence: string) => `Not recorded: ${sentence}`,
  unknown: (sentence: string) => `Not known whether it is recorded: ${sentence} Save again to find out.`,
  allDone: 'This page is settled.',
  readOnly: 'Settlements and adjustments need the scope “payouts”.',
} as const;

/** The words of the view "Advocates", for translators. */
export const ADVOCATES = {
  title: 'Advocates',
  searchExample: 'Email, your id or slug',
  noResult: 'No advocate has exactly this email, id or slug.',
  empty: 'No advocates yet. Add the first one, and send the link to that person.',
  order: 'Newest first. Numbers are of the last 30 days.',
  add: 'Add advocate',
  slug: 'Slug',
  openPage: 'Open page',
  opened: (slug: string) => `The page of ${slug} opens in a new tab. If it does not, allow pop-ups for this page.`,
  edit: 'Edit',
  deactivate: 'Deactivate',
  activate: 'Activate',
  deactivated: (slug: string) => `The link of ${slug} is paused. It takes up to 30 seconds.`,
  activated: (slug: string) => `The link of ${slug} works again.`,
  endSessions: 'End sessions',
  endSessionsAdvice: (slug: string) =>
    `All tokens of ${slug} are revoked: pages that show its numbers are signed out within 30 seconds. The advocate can sign in again by email, or on your site.`,
  sessionsEnded: (slug: string) => `The sessions of ${slug} are ended. It takes up to 30 seconds.`,
  noNumbers: 'The numbers are left out.',
  firstName: 'First name',
  lastName: 'Last name',
  slugHint: 'The name in links, by default from the names, or random without names. It can never change.',
  yourIdHint: 'Your own id of the advocate, unique in the program.',
  commission: 'Commission',
  commissionHint: 'Percent of each payment. Empty means the terms of the group or the program.',
  wrongCommission: 'Commission must be a number from 0 to 100, such as 12.5.',
  eraseTitle: 'Erase this advocate',
  eraseAdvice:
    'Names, email and your id are deleted for ever, and the link stops working. Referrals and numbers stay under the slug.',
  notTyped: 'Type the word erase to confirm.',
} as const;
