import { maskedAccount, type PayoutAccount } from '../../../kernel/accounts/rules/payout-account.ts';
import type { Program } from '../../../kernel/accounts/rules/program.ts';
import { type Seconds, seconds } from '../../../kernel/time.ts';
import { inUnits } from '../../../ledger/rules/units.ts';
import { type Action, type Letter, toHtml } from './html.ts';
import { type EmailKind, isSwitchable } from './kinds.ts';
import { headerText, safeName, withoutLinks } from './names.ts';
import { fillOwnText, type Part } from './own-text.ts';
import type { PeopleSettings } from './settings.ts';
import { WORDS } from './words.ts';

/** An email as a mail program shows it. The subject is one line. */
export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Whom an email greets, and the page of the account or of the dashboard. */
interface Addressed {
  readonly firstName: string | null;
  readonly url: string;
}

/** What an email says. Names may contain anything. */
export type EmailContent =
  | {
      readonly kind: 'sign_in';
      readonly page: 'portal' | 'dashboard';
      readonly firstName: string | null;
      /** One for each person with the address. */
      readonly links: readonly { readonly name: string; readonly url: string }[];
    }
  | ({ readonly kind: 'paying' } & Addressed)
  | ({
      readonly kind: 'settled';
      /** In the smallest unit of the currency. */
      readonly amount: number;
      readonly currency: string;
      readonly reference: string | null;
    } & Addressed)
  | ({
      readonly kind: 'account_changed';
      readonly changes: readonly ('payout_account' | 'email')[];
      /** The payout account, which the email masks. */
      readonly account: PayoutAccount;
      /** Until when nothing is paid to the advocate. */
      readonly pendingUntil: Seconds | null;
      readonly undoUrl: string | null;
    } & Addressed)
  | ({ readonly kind: 'invited' } & Addressed);

/** Whose emails they are. `unsubscribeUrl` is ignored for kinds that nobody can switch off. */
interface About {
  readonly program: { readonly name: string };
  readonly settings: PeopleSettings;
  readonly unsubscribeUrl: string | null;
}

/** Writes an email. It contains no address of its recipient and of customers. */
export function writeEmail(content: EmailContent, { program, settings, unsubscribeUrl }: About): Email {
  const sender = safeName(program.name) || WORDS.namelessProgram;
  const body = bodyOf(content, sender, WORDS.contact(sender, settings.replyTo !== null));
  const firstName = safeName(content.firstName ?? '') || null;
  const own = settings.emailTexts[content.kind];
  const letter: Letter = {
    facts: [],
    advice: [],
    ...body,
    subject: headerText(body.subject),
    sender,
    greeting: WORDS.greeting(firstName),
    own: own === undefined ? [] : fillOwnText(own, { firstName, program: sender, link: linkOf(content) }),
    footer: [body.because, ...(settings.postalAddress === null ? [] : [headerText(settings.postalAddress)])],
    unsubscribe:
      unsubscribeUrl !== null && isSwitchable(content.kind) ? { label: WORDS.unsubscribe, url: unsubscribeUrl } : null,
  };
  return { subject: letter.subject, text: toText(letter), html: toHtml(letter) };
}

/** What differs between the kinds of emails. */
interface Body
  extends Pick<Letter, 'subject' | 'heading' | 'before' | 'actions' | 'after'>,
    Partial<Pick<Letter, 'facts' | 'advice'>> {
  /** Why the person gets the email. */
  readonly because: string;
}

function bodyOf(content: EmailContent, program: string, contact: string): Body {
  const openAccount = { label: WORDS.openAccount };
  const because = WORDS.becauseAdvocate(program);
  switch (content.kind) {
    case 'sign_in':
      return signInBody(content, program);
    case 'paying': {
      const { subject, heading, happened, often } = WORDS.paying;
      return {
        subject: subject(program),
        heading,
        before: [happened(program)],
        actions: [{ ...openAccount, url: content.url }],
        after: [often],
        because,
      };
    }
    case 'settled': {
      const words = WORDS.settled;
      const amount = `${inUnits(content.amount, content.currency)} ${content.currency.toUpperCase()}`;
      const reference = withoutLinks(content.reference ?? '');
      return {
        subject: words.subject(program, amount),
        heading: words.heading,
        before: [words.happened(program)],
        facts: [[words.amount, amount], ...(reference === '' ? [] : [[words.reference, reference] as const])],
        actions: [{ ...openAccount, url: content.url }],
        after: [words.missing(contact)],
        because,
      };
    }
    case 'account_changed':
      return { ...changedBody(content, program, contact), because };
    case 'invited': {
      const { subject, heading, happened, howTo, button, unknown, because } = WORDS.invited;
      return {
        subject: subject(program),
        heading,
        before: [happened(program), howTo],
        actions: [{ label: button, url: content.url }],
        after: [unknown(program)],
        because: because(program),
      };
    }
  }
}

function signInBody({ page, links }: EmailContent & { readonly kind: 'sign_in' }, program: string): Body {
  const words = WORDS.signIn;
  const place = words[page](program);
  const isOne = links.length === 1;
  return {
    subject: words.subject(place),
    heading: words.heading,
    before: [isOne ? words.one(place) : words.several],
    actions: links.map(({ name, url }, index) => ({
      label: isOne ? words.button : words.buttonOf(safeName(name) || words.nameless(index + 1)),
      url,
    })),
    after: [isOne ? words.oneExpires : words.severalExpire, words.ignore],
    because: words.because(program),
  };
}

function changedBody(
  { changes, account, pendingUntil, undoUrl, url }: EmailContent & { readonly kind: 'account_changed' },
  program: string,
  contact: string,
): Omit<Body, 'because'> {
  const words = WORDS.accountChanged;
  const hasPayout = changes.includes('payout_account');
  const what = hasPayout ? (changes.includes('email') ? 'both' : 'payout') : 'email';
  const subject = words.subjectOf[what](program);
  return {
    subject,
    heading: words.headingOf[what],
    before: [`${subject}.`],
    advice: [
      ...(what === 'payout' ? [] : [words.signedOut]),
      ...(pendingUntil === null ? [] : [words.pending(pendingUntil)]),
      ...(pendingUntil === null || undoUrl === null ? [] : [words.canUndo(pendingUntil)]),
    ],
    facts: hasPayout ? [[words.account, accountText(account)]] : [],
    actions: [undoUrl === null ? { label: WORDS.openAccount, url } : { label: words.undo, url: undoUrl }],
    after: undoUrl === null || what !== 'payout' ? [words.unexpected(contact)] : [],
  };
}

/** A payout account as its advocate recognizes it. The domain of an email would become a link. */
function accountText(account: PayoutAccount): string {
  const { methods, noAccount } = WORDS.accountChanged;
  const masked = maskedAccount(account);
  if (account.payoutMethod === null || masked === null) return noAccount;
  return `${methods[account.payoutMethod]}, ${headerText(masked.replace(/@.*/, '@…'))}`;
}

/** What replaces `{link}`. */
function linkOf(content: EmailContent): Part {
  if (content.kind !== 'sign_in') return { url: content.url };
  const [first, ...others] = content.links;
  return first === undefined || others.length > 0 ? WORDS.severalLinks : { url: first.url };
}

/** Writes an email as text: each paragraph is a line, and so is each address. */
function toText({ greeting, before, facts, advice, own, actions, after, footer, unsubscribe }: Letter): string {
  const paragraphs = [
    greeting,
    ...before,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    ...advice,
    ownLines(own),
    ...actions.map(actionLines),
    ...after,
    ['-- ', ...footer].join('\n'),
    unsubscribe === null ? '' : actionLines(unsubscribe),
  ];
  return `${paragraphs.filter((each) => each !== '').join('\n\n')}\n`;
}

const actionLines = ({ label, url }: Action) => `${label}:\n${url}`;

/** Puts addresses into lines of their own, without the punctuation after them. */
function ownLines(parts: readonly Part[]): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : `\n${part.url}\n`))
    .join('')
    .replace(/ *\n(?:[.,;:!?]+(?= |$))? */g, '\n')
    .trim();
}

/** The address of a page on which people sign in to a program. */
export const pageUrl = (page: string, { publicKey }: Pick<Program, 'publicKey'>): string =>
  `${page}#program=${publicKey}`;

/** Returns what a preview of a kind shows. `baseUrl` is the address of the service, without a slash at its end. */
export function exampleContent(kind: EmailKind, baseUrl: string, program: Pick<Program, 'publicKey'>): EmailContent {
  const firstName = 'Jane';
  const url = pageUrl(`${baseUrl}/account`, program);
  switch (kind) {
    case 'sign_in':
      return { kind, page: 'portal', firstName, links: [{ name: 'Jane Doe', url }] };
    case 'paying':
      return { kind, firstName, url };
    case 'settled':
      return { kind, firstName, url, amount: 12_50, currency: 'eur', reference: '2026-07' };
    case 'account_changed': {
      const account = { payoutMethod: 'bank', payoutAccount: 'DE02120300000000202051' } as const;
      const pendingUntil = seconds(Date.UTC(2026, 6, 24, 12) / 1000);
      return { kind, firstName, url, changes: ['payout_account'], account, pendingUntil, undoUrl: url };
    }
    case 'invited':
      return { kind, firstName, url: pageUrl(`${baseUrl}/dashboard`, program) };
  }
}
