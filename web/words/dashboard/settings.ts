/** The words of the view "Settings", for translators. */
export const title = 'Settings';
export const SECTIONS = {
  program: 'Program',
  commission: 'Commission',
  payouts: 'Payouts',
  portal: 'Portal',
  brand: 'Brand',
  applications: 'Applications',
  people: 'People',
  emails: 'Emails',
} as const;
export const withoutEmails = 'Applications, People and Emails need a deployment with emails=on.';
export const needsScope = (scope: string) => `Changes need the scope “${scope}”.`;
export const accountNeedsScope = 'The bank account needs the scope “payouts”.';
export const saved = 'Saved. It takes effect within 30 seconds.';

/** What is wrong with a value, after the label of its field. */
export const notWhole = 'must be a whole number';
export const notNumber = 'must be a number, such as 12.5';
export const notAmounts = 'must be amounts with their currency, such as 20 EUR, 22 USD';
export const noCurrency = 'must have a currency, such as 50 EUR';
export const notTerms = 'must be a percentage or an amount, such as 10% or 20 EUR';
export const isRequired = 'is required';

export const row = (item: string, position: number) => `${item} ${position}`;
export const remove = 'Remove';
export const moveUp = 'Move up';

export const name = 'Name';
export const siteUrl = 'Site URL';
export const linkParameter = 'Link parameter';
export const linkParameterHint = 'Published links keep the old parameter.';
export const attributionDays = 'Attribution window';
export const attributionDaysHint = 'Days from a click to the sign-up.';
export const slugs = 'Link names';
export const fromNames = 'From names';
export const random = 'Random';
export const allowedOrigins = 'Allowed origins';
export const allowedOriginsHint = 'Sites whose pages may report sign-ups, one on each line.';
export const assistantEmails = 'Emails for assistants';
export const assistantEmailViews = [
  ['masked', 'Masked, such as v***@example.com'],
  ['full', 'Shown'],
] as const;

export const percentage = 'Percentage';
export const percentageHint = 'Of each payment.';
export const duration = 'Months';
export const durationHint = 'Empty: without an end.';
export const rules = 'Rules';
export const rulesHint = 'Instead of the percentage: the first rule that matches a payment decides.';
export const rule = 'Rule';
export const addRule = 'Add rule';
export const ruleCommission = 'Commission';
export const ruleCommissionExample = '10% or 20 EUR';
export const rulePayments = 'First payments';
export const ruleMonths = 'Months';
export const rulePayingFrom = 'From customers';
export const anyNumber = 'any';
export const earns = 'Advocates earn';
export const earnsNothing = 'nothing: no commission is set.';
export const earnsProgram = 'what the program pays.';
export const holdPeriod = 'Hold period';
export const holdPeriodHint = 'Days from a payment until its commission is due.';
export const codePriority = 'If link and code differ';
export const linkWins = 'The link decides';
export const codeWins = 'The code decides';
export const onlyNew = 'For new referrals: existing ones keep their commission.';

export const groups = 'Groups';
export const group = 'Group';
export const addGroup = 'Add group';
export const editGroup = 'Edit group';
export const commission = 'Commission';
export const asProgram = 'As the program';
export const noGroups = 'No groups yet. A group has a commission of its own.';
export const groupExists = 'is taken by another group';
export const edit = 'Edit';

export const minimumPayout = 'Minimum payout';
export const minimumPayoutHint = 'Such as 50 EUR, 60 USD.';
export const payoutDay = 'Payout day';
export const payoutDayHint = 'Day of the month, 1 to 28. Advocates see both.';
export const debtor = 'Account holder';
export const debtorHint = 'For SEPA files.';
export const iban = 'IBAN';

export const customerEmails = 'Customer emails';
export const emailViews = [
  ['full', 'Shown to advocates'],
  ['masked', 'Masked, such as v***@example.com'],
  ['none', 'Hidden'],
] as const;
export const termsUrl = 'Terms';
export const termsVersion = 'Version of the terms';
export const termsVersionHint = 'With one, applicants have to accept them.';
export const resources = 'Resources';
export const resource = 'Resource';
export const addResource = 'Add resource';
export const resourceTitle = 'Title';
export const resourceText = 'Text';
export const resourceUrl = 'Address';

export const logo = 'Logo';
export const chooseLogo = 'Choose logo';
export const removeLogo = 'Remove logo';
export const removeLogoAdvice = 'Advocates then see the name of the program instead.';
export const logoHint = 'PNG, JPEG or WebP, at most 64 KB.';
export const logoType = 'The logo must be a PNG, JPEG or WebP image.';
export const logoSize = 'The logo must have at most 64 KB.';
export const logoSaved = 'The logo is saved.';
export const logoRemoved = 'The logo is removed.';
export const accent = 'Accent';
export const accentHint = '# and six characters, such as #4a45d6.';
export const accentExample = '#4a45d6';
export const chooseAccent = 'Choose a color';
export const preview = 'Preview';
export const light = 'Light';
export const dark = 'Dark';
export const sampleLink = 'Your link';
export const sampleCopy = 'Copy link';
