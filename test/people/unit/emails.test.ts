import { describe, expect, test } from '@jest/globals';
import { parseInputs } from '../../../functions/kernel/fields/field-list.ts';
import { type EmailContent, exampleContent } from '../../../functions/people/rules/emails/content.ts';
import { writeEmail } from '../../../functions/people/rules/emails/email.ts';
import { EMAIL_KINDS, type EmailKind, isSwitchable } from '../../../functions/people/rules/emails/kinds.ts';
import { headerText, safeName } from '../../../functions/people/rules/emails/names.ts';
import { type EmailTexts, NO_SETTINGS, PEOPLE_FIELDS } from '../../../functions/people/rules/emails/settings.ts';
import { refusal } from '../../support/samples.ts';

const BASE = 'https://refer.example';
const ACCOUNT = `${BASE}/account#program=pk_1`;
const UNSUBSCRIBE = `${BASE}/v2/unsubscribe/x`;
const LINK = 'https://example.com/?via=jane-doe';
const LONG_URL = `${BASE}/${'a'.repeat(220)}`;
const EMOJI = '😀'.repeat(40);
const EMOJI_URL = `${BASE}/account#code=${'A'.repeat(86)}&name=${encodeURIComponent(EMOJI)}`;
const settings = { ...NO_SETTINGS, postalAddress: '1 High Street, London' };
const about = { program: { name: 'Acme' }, settings, unsubscribeUrl: UNSUBSCRIBE };
const withTexts = (emailTexts: EmailTexts) => ({ ...about, settings: { ...settings, emailTexts } });
const parse = (fields: object) => parseInputs(PEOPLE_FIELDS, { ...fields });

const example = <Kind extends EmailKind>(kind: Kind) =>
  exampleContent(kind, BASE, { publicKey: 'pk_1' }) as Extract<EmailContent, { readonly kind: Kind }>;
const NO_ACCOUNT = { payoutMethod: null, payoutAccount: null };
const changed = example('account_changed');
const signIn = (page: 'portal' | 'dashboard', names: readonly string[], url = ACCOUNT): EmailContent => ({
  ...{ kind: 'sign_in', page, firstName: null },
  links: names.map((name, index) => ({ name, url: `${url}#${index}` })),
});

const IGNORE = 'If you did not ask for this email, ignore it. Nobody can sign in without the link.';
const OPEN = `Open your account:|${ACCOUNT}`;
const STOP = `Unsubscribe from these emails:|${UNSUBSCRIBE}`;
const PENDING = 'To protect you, payouts to you wait until 24 July 2026 at 12:00 UTC. You lose nothing.';
const UNDO = `If you changed your payout account, you have nothing to do. If you did not, undo the change now. The link works until 24 July 2026 at 12:00 UTC, and signs you out everywhere.¶Undo the change:|${ACCOUNT}`;
const UNEXPECTED = 'If you did not expect a change, contact Acme now.';
const SIGNED_OUT = 'You are signed out on all devices. Sign in again with the new address.';
const footer = (reason: string) => `-- |You get this email because ${reason}|1 High Street, London`;
const ADVOCATE = footer('you refer customers to Acme.');
const ENTERED = footer('somebody entered this address on the sign-in page or in the application form of Acme.');
const APPLIED = footer('somebody entered this address in the application form of Acme.');
const APPROVES = footer('you can approve the advocates of Acme.');
const INVITED = footer('a member of Acme invited this address.');
/** Name, content, subject and text, with "¶" between paragraphs and "|" between lines. */
const EMAILS: readonly (readonly [string, EmailContent, string, string])[] = [
  [
    'sign_in',
    example('sign_in'),
    'Sign in to your Acme referrals',
    `Hello Jane,¶Here is your link to sign in to your Acme referrals.¶Sign in:|${ACCOUNT}¶The link works once and for 15 minutes.¶${IGNORE}¶${ENTERED}`,
  ],
  [
    'sign_in of several',
    signIn('dashboard', ['Jane Doe', '@']),
    'Sign in to the Acme dashboard',
    `Hello,¶Several accounts use this address. Choose the account that you want to open.¶Sign in as Jane Doe:|${ACCOUNT}#0¶Sign in as account 2:|${ACCOUNT}#1¶Each link works once and for 15 minutes.¶${IGNORE}¶${ENTERED}`,
  ],
  [
    'paying',
    example('paying'),
    'A customer whom you referred to Acme has paid',
    `Hello Jane,¶A customer whom you referred to Acme has paid for the first time. Your account shows what you earn.¶${OPEN}¶You get this email at most once a day, even if several customers pay.¶${ADVOCATE}¶${STOP}`,
  ],
  [
    'settled',
    example('settled'),
    'Your payout from Acme: 12.50 EUR',
    `Hello Jane,¶Acme has recorded a payout to you.¶Amount: 12.50 EUR|Reference: 2026-07¶${OPEN}¶It can take a few days until the money arrives. If it does not arrive, contact Acme.¶${ADVOCATE}¶${STOP}`,
  ],
  [
    'account_changed',
    changed,
    'Your payout account at Acme was changed',
    `Hello Jane,¶Your payout account at Acme was changed.¶New payout account: Bank transfer, DE** **** 2051¶${PENDING}¶${UNDO}¶${ADVOCATE}`,
  ],
  [
    'account_changed of the address',
    { ...changed, changes: ['email'], pendingUntil: null, undoUrl: null },
    'Your email address at Acme was changed',
    `Hello Jane,¶Your email address at Acme was changed.¶${SIGNED_OUT}¶${OPEN}¶${UNEXPECTED}¶${ADVOCATE}`,
  ],
  [
    'account_changed of both',
    { ...changed, changes: ['email', 'payout_account'], account: NO_ACCOUNT },
    'Your email address and payout account at Acme were changed',
    `Hello Jane,¶Your email address and payout account at Acme were changed.¶New payout account: None¶${SIGNED_OUT}¶${PENDING}¶${UNDO}¶${UNEXPECTED}¶${ADVOCATE}`,
  ],
  [
    'invited',
    example('invited'),
    'You are invited to the Acme dashboard',
    `Hello Jane,¶You can now use the Acme dashboard, which shows its referral program.¶To sign in, enter the address that received this email. You then get a link, and need no password.¶Open the dashboard:|${BASE}/dashboard#program=pk_1¶If you do not know Acme, ignore this email.¶${INVITED}`,
  ],
  [
    'confirm',
    example('confirm'),
    'Confirm your application to Acme',
    `Hello,¶Somebody applied to recommend Acme with this address. If it was you, look at the application and confirm it.¶Look at the application:|${ACCOUNT}¶The link works for 3 days.¶If you did not apply, ignore this email. The application is then deleted.¶${APPLIED}`,
  ],
  [
    'approved',
    example('approved'),
    'Welcome to the referral program of Acme',
    `Hello Jane,¶You can now recommend Acme, and earn something when your customers pay.¶This is your link. Share it with people who may become customers.¶Your link: ${LINK}¶Your account shows clicks, customers and what you earn. To sign in, enter the address that received this email. You then get a link, and need no password.¶${OPEN}¶${ADVOCATE}`,
  ],
  [
    'rejected',
    { ...example('rejected'), note: 'Not now.\n\nSorry.' },
    'Your application to Acme',
    `Hello Jane,¶Acme has not accepted your application.¶Not now.¶Sorry.¶If you have questions, contact Acme.¶${APPLIED}`,
  ],
  [
    'waiting',
    example('waiting'),
    'Somebody wants to recommend Acme',
    `Hello Jane,¶Somebody has applied to recommend Acme. Approve or decline it in the dashboard.¶Open the dashboard:|${BASE}/dashboard#program=pk_1¶You get this email at most once a day, even if more people apply.¶${APPROVES}`,
  ],
];

const tagsOf = (html: string) => html.match(/<[^>]*>/g);
const contains = (email: { readonly text: string; readonly html: string }, words: string) =>
  [email.text, email.html].map((each) => each.includes(words));

describe('emails', () => {
  test.each(EMAILS)('%s has exactly this subject and text, and HTML says the same', (_, content, subject, written) => {
    const email = writeEmail(content, about);
    expect(email.subject).toBe(subject);
    expect(email.text).toBe(`${written.replaceAll('¶', '\n\n').replaceAll('|', '\n')}\n`);
    const parts = written.split(/[¶|]|: /).filter((part) => part !== '-- ');
    const seen = parts.map((part) => (part.startsWith(BASE) ? `href="${part}"` : `>${part.replace(/:$/, '')}<`));
    expect(seen.filter((each) => !email.html.includes(each))).toEqual([]);
    expect(email.html).not.toMatch(/<(?:img|script|link|iframe)|src=|url\(|@import|http:/);
  });

  test('only emails that people can switch off have a link to do so', () => {
    expect(new Set(EMAILS.map(([, { kind }]) => kind))).toEqual(new Set(EMAIL_KINDS));
    expect(EMAIL_KINDS.filter(isSwitchable)).toEqual(['paying', 'settled']);
    for (const [, content] of EMAILS) {
      const is = isSwitchable(content.kind);
      expect(contains(writeEmail(content, about), UNSUBSCRIBE)).toEqual([is, is]);
      const without = writeEmail(content, { ...about, unsubscribeUrl: null });
      expect(contains(without, 'Unsubscribe')).toEqual([false, false]);
    }
  });

  test('a payout has the decimals of its currency, no line without a reference, and an address for replies', () => {
    const content = { ...example('settled'), amount: 1250, currency: 'jpy', reference: null };
    const { subject, text } = writeEmail(content, { ...about, settings: { ...settings, replyTo: 'a@acme.example' } });
    expect(subject).toBe('Your payout from Acme: 1250 JPY');
    expect(text).toContain('\n\nAmount: 1250 JPY\n\n');
    expect(text).toContain('If it does not arrive, reply to this email.');
  });

  test.each([
    ['ten links and names of 40 emoji', signIn('portal', Array(10).fill(EMOJI), EMOJI_URL), '&'.repeat(1000)],
    ['most placeholders', { ...example('paying'), url: LONG_URL }, `{link}${'&'.repeat(94)}`.repeat(10)],
  ] as const)('an email with %s and a text of 1,000 characters has at most 20 KB', (_, content, own) => {
    const { emailTexts } = { ...NO_SETTINGS, ...parse({ email_texts: { [content.kind]: own } }) };
    const { text, html } = writeEmail(content, withTexts(emailTexts));
    expect([text, html].map((each) => Buffer.byteLength(each) <= 20_000)).toEqual([true, true]);
  });
});

const LINKS = ['www.evil.example/login', 'https://evil.example', 'eve@evil.example', 'evil\u3002example'];
const OTHERS = ['</p><b>Eve</b>', '" onclick="', 'E\r\nBcc: e', 'E\u2028\u0085x', '\u202eevE\u200b', '{link}{program}'];
const OWN = Object.fromEntries(
  EMAIL_KINDS.map((kind) => [kind, `${kind === 'confirm' ? '' : '{first_name}, '}{program} <b>"`]),
);
/** Emails with a value in each name. */
const withNames = (value: string) =>
  [
    // An email to an address that nobody has confirmed has no name.
    ...EMAILS.flatMap(([, content]) => (content.kind === 'confirm' ? [] : [{ ...content, firstName: value }])),
    signIn('portal', [value, value]),
  ].map((content) => writeEmail(content, withTexts(OWN)));
/** Emails with a value in the fields of the merchant. */
const withFields = (value: string) => [
  writeEmail({ ...changed, account: { payoutMethod: 'other', payoutAccount: value } }, about),
  writeEmail({ ...example('settled'), reference: value }, about),
  writeEmail(changed, { ...withTexts(OWN), program: { name: value } }),
  writeEmail(changed, { ...about, settings: { ...settings, postalAddress: value } }),
];

describe('texts in emails', () => {
  test.each(LINKS)('no mail program makes a link of the name %j', (name) => {
    for (const { subject, text } of [...withNames(name), ...withFields(name).slice(0, 3)])
      expect(subject + text.replaceAll(BASE, '').replaceAll(LINK, '')).not.toMatch(/evil[.\u3002]|\/\/|@/);
  });

  test.each([
    ['paypal', 'ann@www.evil.example', 'PayPal, a***@…'],
    ['other', 'www.evil.example', 'Another way, ***'],
  ] as const)('an account of the method %s is masked, without a domain', (payoutMethod, payoutAccount, masked) => {
    const { text, html } = writeEmail({ ...changed, account: { payoutMethod, payoutAccount } }, about);
    expect([text, html].join()).not.toContain('evil');
    expect(text).toContain(`\nNew payout account: ${masked}\n`);
  });

  test('a program without a safe name has another one', () => {
    expect(writeEmail(example('paying'), { ...about, program: { name: '...' } }).subject).toBe(
      'A customer whom you referred to the referral program has paid',
    );
  });

  test('no text becomes markup, a header or a placeholder', () => {
    expect(writeEmail({ ...example('paying'), url: `${ACCOUNT}"` }, about).html).toContain(`href="${ACCOUNT}&quot;"`);
    const usual = [...withNames('x'), ...withFields('x')];
    for (const hostile of OTHERS) {
      for (const [index, { subject, text, html }] of [...withNames(hostile), ...withFields(hostile)].entries()) {
        expect([hostile, tagsOf(html)]).toEqual([hostile, tagsOf(usual[index]?.html ?? '')]);
        expect(text.split('\n')).toHaveLength(usual[index]?.text.split('\n').length ?? 0);
        expect(subject + text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028]|&lt;/u);
        expect(html).not.toMatch(/[\p{Cf}\u2028]|<b>/u);
      }
    }
  });

  test.each([
    ['  Zoë \t van  der\nMeer ', 'Zoë van der Meer'],
    ['J. R. @ www.evil.example:80/x', 'J R wwwevilexample80x'],
    ['...', ''],
    [`${'😀'.repeat(39)} x`, '😀'.repeat(39)],
  ])('the name %j is %j in emails', (name, safe) => expect(safeName(name)).toBe(safe));

  test('a header keeps what is harmless', () => expect(headerText(' a.b:c@d/ \r\n e')).toBe('a.b:c@d/ e'));
});

const NO_NAME = 'must not contain {first_name}: anybody may have typed it';
const NO_BRACES = 'must contain braces only in the placeholders {first_name}, {program}, {link}';

describe('settings of emails', () => {
  test.each<[string, EmailContent, string]>([
    ['{first_name}, see {link}. {program}', example('paying'), `Jane, see\n${ACCOUNT}\nAcme`],
    ['See {link}.', signIn('portal', ['x', 'y']), 'See the links below.'],
    ['See {link}!', signIn('portal', ['x']), `See\n${ACCOUNT}#0`],
    [
      '{first_name}, dear {first_name}, thanks, {first_name}!',
      { ...example('paying'), firstName: '.' },
      'Dear, thanks!',
    ],
  ])('the own paragraph %j is before the button, with its placeholders replaced', (own, content, filled) => {
    const { text, html } = writeEmail(content, withTexts({ [content.kind]: own }));
    expect(text.split('\n\n')[2]).toBe(filled);
    expect(html).toMatch(/dir="auto".*class="(?:on|row link)"/s);
    expect(html.includes('>refer.example/account</a>')).toBe(filled.includes(ACCOUNT));
  });

  test.each<[object, string]>([
    [{ email_texts: [] }, 'email_texts must be a JSON object'],
    [{ email_texts: { Eve: 'x' } }, `email_texts must have only these keys: ${EMAIL_KINDS.join(', ')}`],
    [{ email_texts: { paying: '' } }, 'email_texts.paying must be 1 to 1000 characters long'],
    [{ email_texts: { paying: 5 } }, 'email_texts.paying must be a string'],
    ...['{name}', '{{link}}', '{link', '{Link}', '{}'].map((own): [object, string] => [
      { email_texts: { paying: 'x', settled: `See ${own}` } },
      `email_texts.settled ${NO_BRACES}`,
    ]),
    [{ email_texts: { paying: '{link}'.repeat(11) } }, 'email_texts.paying must contain at most 10 placeholders'],
    [{ emails_off: ['sign_in'] }, 'emails_off must be a list of paying, settled, waiting'],
    [{ emails_off: 'paying' }, 'emails_off must be a list of paying, settled, waiting'],
    [{ email_texts: { confirm: 'Hi {first_name}' } }, `email_texts.confirm ${NO_NAME}`],
    [{ postal_address: 'x'.repeat(301) }, 'postal_address must be 1 to 300 characters long'],
    [{ reply_to: 'x' }, 'reply_to must be an email address such as name@example.com'],
  ])('%j is refused', (fields, sentence) => expect(refusal(() => parse(fields))).toBe(sentence));

  test('settings are normalized, and an empty paragraph takes the place of null', () => {
    const [email_texts, emails_off] = [{ settled: '{link}', paying: null }, ['settled', 'paying', 'paying']];
    const expected = {
      replyTo: 'a@acme.example',
      emailTexts: { settled: '{link}', paying: '' },
      emailsOff: ['paying', 'settled'],
    };
    expect(parse({ reply_to: ' A@acme.example', email_texts, emails_off })).toEqual(expected);
    expect({
      ...NO_SETTINGS,
      ...parse({ reply_to: null, postal_address: null, email_texts: null, emails_off: [] }),
    }).toEqual(NO_SETTINGS);
    expect(PEOPLE_FIELDS.emailTexts.stored.parse({ paying: 'x', settled: 5, later: 'y' })).toEqual({ paying: 'x' });
  });
});
