/** The words of "Getting started", for translators. */
export const title = 'Getting started';
/** The steps, in their order. */
export const STEPS = {
  commission: 'Set the commission',
  invite: 'Invite the first advocate',
  script: 'Install the script',
  signUps: 'Report sign-ups',
  payments: 'Report payments',
  portal: 'Show advocates their page',
} as const;
export const STATES = { done: 'Done', open: 'Open', waiting: 'Waiting' } as const;
export const progress = (done: number, all: number) => `${done} of ${all} done`;
export const notAllowed = (scope: string) => `This needs the scope “${scope}”.`;
export const allDone = 'Everything is set up.';
export const close = 'Close';
export const hide = 'Hide';

export const commission = 'Commission';
export const KINDS = { percentage: 'Percentage', amount: 'Fixed amount' } as const;
export const percentage = 'Percentage';
export const duration = 'For';
export const DURATIONS = {
  all: 'Every payment',
  first: 'The first payment',
  months: 'Payments of some months',
} as const;
export const months = 'Months';
export const holdPeriod = 'Hold period';
export const holdPeriodHint = 'Days until a commission is due, for refunds.';
export const wrongPercentage = 'The percentage must be a number from 0 to 100, such as 20.';
export const wrongNumber = (label: string) => `${label} must be a whole number.`;
export const example = (paid: string, earned: string) => `A customer pays ${paid}: the advocate earns ${earned}.`;
export const rulesNow = (sentence: string) => `Advocates earn ${sentence}.`;
export const commissionSaved = 'The commission is set. It holds for new referrals.';

export const firstName = 'First name';
export const sendInvitation = 'Send invitation';
export const addAdvocate = 'Add advocate';
export const advocateIs = (name: string) => `${name} is an advocate. The link:`;
export const link = 'Link';
export const invited = (email: string) => `The invitation to ${email} is on its way.`;
export const added = (email: string) => `${email} is added. Send the text below.`;
export const invitation = 'Text to send';
export const invitationText = (name: string, program: string, referralLink: string) =>
  `Hi${name ? ` ${name}` : ''},\n\nrecommend ${program} with your own link, and earn a commission for each customer:\n\n${referralLink}\n`;

export const scriptPlace = 'Put these lines into every page of your site.';
export const testScript = 'Test the script';
export const testAdvice = (name: string) => `The test opens your site with the link of ${name}. It is a real click.`;
export const needsAdvocate = 'This needs an advocate. Invite the first one above.';
export const scriptCheck = 'Script check';
export const scriptNever = 'No visit has arrived yet.';
export const scriptLast = (time: string) => `The last visit by this link arrived ${time}.`;
export const scriptWaiting = 'Waiting for the visit …';
export const scriptFound = (time: string) => `The script works: the visit arrived ${time}.`;
export const scriptMissing = 'No visit has arrived. Likely causes:';
export const SCRIPT_CAUSES = [
  'The script is not on this page, or the page is cached without it.',
  'The page has the key of another program.',
  'The page waits for consent, or a blocker stops the script.',
  'This browser followed the link before: try a private window.',
] as const;

export const signUpAdvice = 'Run this on your server for each new customer. As it is, it reports an example.';
export const signUpCheck = 'Sign-up check';
export const signUpWaiting = 'Waiting for a sign-up …';
export const signUpFound = (customer: string, advocate: string, time: string) =>
  `${customer} signed up, credited to ${advocate}, ${time}.`;

export const paymentAdvice = 'Run this on your server for each payment. As it is, it reports an example.';
export const paymentCheck = 'Payment check';
export const paymentWaiting = 'Waiting for a payment …';
export const paymentFound = (customer: string, paid: string, advocate: string, earned: string) =>
  `${customer} paid ${paid}: ${advocate} earned ${earned}.`;
export const checkOver = 'Nothing arrived in 5 minutes.';
export const checkAgain = 'Check again';

export const portalWays = 'Advocates open it';
export const WAYS = { link: 'By a link', site: 'On your site' } as const;
export const signInLink = 'Sign-in link';
export const signInAdvice = 'Advocates enter their email there, and get a link that signs them in.';
export const siteAdvice = 'Put the element into your advocates’ account.';
export const routeAdvice =
  'Your server asks for a token of the signed-in advocate. PROGRAM_TOKEN needs the scope “advocates”.';
export const shown = 'Advocates can open it';
