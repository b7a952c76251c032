import { maskedAccount, type PayoutAccount } from '../../../kernel/accounts/rules/payout-account.ts';
import { inUnits } from '../../../ledger/rules/units.ts';
import type { EmailContent } from './content.ts';
import type { Letter } from './html.ts';
import { headerText, safeName, withoutLinks } from './names.ts';
import { WORDS } from './words.ts';

/** What differs between the kinds of emails. */
export interface Body
  extends Pick<Letter, 'subject' | 'heading' | 'before' | 'actions' | 'after'>,
    Partial<Pick<Letter, 'facts' | 'advice'>> {
  /** Why the person gets the email. */
  readonly because: string;
}

/** Writes what differs. `contact` says what to do about a mistake. */
export function bodyOf(content: EmailContent, program: string, contact: string): Body {
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
    case 'confirm':
    case 'approved':
    case 'rejected':
    case 'waiting':
      return applicationBody(content, program, contact);
  }
}

/** The most paragraphs of a note: each takes some hundred bytes of HTML. */
const MAX_PARAGRAPHS = 20;

/** The lines of a note as paragraphs; what follows the most of them is one. */
function noteOf(note: string): string[] {
  const lines = note
    .split('\n')
    .map(headerText)
    .filter((line) => line !== '');
  const rest = lines.slice(MAX_PARAGRAPHS - 1).join(' ');
  return [...lines.slice(0, MAX_PARAGRAPHS - 1), ...(rest === '' ? [] : [rest])];
}

type AboutApplications = Extract<EmailContent, { kind: 'confirm' | 'approved' | 'rejected' | 'waiting' }>;

function applicationBody(content: AboutApplications, program: string, contact: string): Body {
  const because = WORDS.becauseApplied(program);
  switch (content.kind) {
    case 'confirm': {
      const { subject, heading, happened, button, expires, ignore } = WORDS.confirm;
      const actions = [{ label: button, url: content.url }];
      return {
        subject: subject(program),
        heading,
        before: [happened(program)],
        actions,
        after: [expires, ignore],
        because,
      };
    }
    case 'approved': {
      const { subject, heading, happened, share, link, howTo } = WORDS.approved;
      return {
        subject: subject(program),
        heading,
        before: [happened(program), share],
        facts: [[link, content.referralLink]],
        advice: [howTo],
        actions: [{ label: WORDS.openAccount, url: content.url }],
        after: [],
        because: WORDS.becauseAdvocate(program),
      };
    }
    case 'rejected': {
      const { subject, heading, happened, questions } = WORDS.rejected;
      const before = [happened(program), ...noteOf(content.note ?? '')];
      return { subject: subject(program), heading, before, actions: [], after: [questions(contact)], because };
    }
    case 'waiting': {
      const { subject, heading, happened, button, often, because } = WORDS.waiting;
      return {
        subject: subject(program),
        heading,
        before: [happened(program)],
        actions: [{ label: button, url: content.url }],
        after: [often],
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
