/** The words that explain why a customer is credited, or not, for translators. */
export const title = 'Explanation';
export const whyNot = 'Why not another advocate?';
export const explain = 'Explain';
export const creditedTo = 'Credited to';

/** What is the case, and what to do. */
export const VERDICTS = {
  erased: ['The customer was erased', 'This cannot be undone. A new sign-up creates a new referral.'],
  other_advocate: ['Credited to another advocate', 'Move the referral if that is wrong.'],
  rejected: ['The referral is or was rejected', 'If that is wrong, set the state to Signed up, and add a bonus.'],
  ended: ['The commission period is over', 'If it should go on, add a bonus.'],
  no_rate: ['No commission was set', 'Set one for new customers, and add a bonus.'],
  no_rule: ['No rule matches the payment', 'If it should pay, add a bonus.'],
  credited: ['Credited', ''],
  mismatched_customer: ['Another customer has this email', 'Send your own id of the customer to Stripe.'],
  wrong_mode: ['Stripe has another mode than the program', 'Connect Stripe’s test mode to a test program.'],
  inactive_advocate: ['The advocate was paused or erased', 'Resume the link, then report the sign-up again.'],
  unknown_slug: ['No advocate has this link name', 'Correct the link, then report the sign-up again.'],
  code_unknown: ['No advocate has this code', 'Add the code, then report the sign-up again.'],
  expired_click: ['The attribution window was over', 'If the sign-up counts, add the referral by hand.'],
  refused_field: ['The sign-up was refused', 'A field was wrong. Correct it, then report the sign-up again.'],
  not_converted: ['Visited, but no sign-up was reported', 'Report the sign-up.'],
  no_reference: ['Signed up without a link and a code', 'Send the visitor’s gr_id or the code with each sign-up.'],
  not_seen: ['Nothing arrived in the last 30 days', 'Check the spelling, and whether sign-ups are reported.'],
} as const;

interface Step {
  /** The link name of the advocate at that time. */
  readonly advocate: string;
  readonly code: string | null;
  /** True if the customer had followed a link before. */
  readonly hasVisited: boolean;
}

/** What happened, as the end of a sentence that begins with the time. */
export const STEPS = {
  clicked: ({ advocate }: Step) => `followed the link of ${advocate}`,
  converted: ({ advocate, code, hasVisited }: Step) => {
    if (code !== null) return `signed up, credited to ${advocate} by the code ${code}`;
    return `signed up, credited to ${advocate}${hasVisited ? ' by the link' : ''}`;
  },
  paid: () => 'started paying',
  churned: () => 'cancelled',
  rejected: () => 'referral rejected',
  reassigned: ({ advocate }: Step) => `moved to ${advocate}`,
  erased: () => 'customer erased',
  payment: ({ advocate }: Step) => `paid, with a commission for ${advocate}`,
  refund: () => 'got money back',
  void: ({ advocate }: Step) => `commission of ${advocate} withdrawn`,
  ended: () => 'paid, but the commission period was over',
  no_rate: () => 'paid, but no commission was set',
  no_rule: () => 'paid, but no rule matched',
  mismatched_customer: () => 'not credited: another customer has this email',
  wrong_mode: () => 'not credited: Stripe has another mode',
  inactive_advocate: ({ advocate }: Step) => `not credited: ${advocate} was paused or erased`,
  unknown_slug: ({ advocate }: Step) => `not credited: no advocate has the link name ${advocate}`,
  code_unknown: ({ code }: Step) => `not credited: no advocate has the code ${code}`,
  refused_field: () => 'not credited: a field was wrong',
  not_converted: () => 'not credited: no sign-up was reported',
  no_reference: () => 'not credited: without a link and a code',
} as const;
