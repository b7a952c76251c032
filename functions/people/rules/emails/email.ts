import { bodyOf } from './bodies.ts';
import type { EmailContent } from './content.ts';
import { type Action, type Letter, toHtml } from './html.ts';
import { isSwitchable } from './kinds.ts';
import { headerText, safeName } from './names.ts';
import { fillOwnText, type Part } from './own-text.ts';
import type { PeopleSettings } from './settings.ts';
import { WORDS } from './words.ts';

/** An email as a mail program shows it. The subject is one line. */
export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

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
