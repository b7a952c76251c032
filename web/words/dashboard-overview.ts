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
