import { EMAIL_KINDS, type EmailKind, MERCHANT_CHOICES } from '../../../functions/people/rules/emails/kinds.ts';
import { Disclosure } from '../../kit/disclosure.tsx';
import { useLoaded } from '../../kit/loaded.ts';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as WORDS from '../../words/dashboard/settings-people.ts';
import { api } from '../service.ts';
import { type Changes, type Draft, type Field, textOrNull, typed } from './fields.ts';
import { StoredForm } from './form.tsx';
import type { People, PeopleSectionProps } from './stored.ts';

const OWN_TEXT = 'email_texts.';

const OTHERS: readonly Field[] = [
  {
    name: 'reply_to',
    label: WORDS.replyTo,
    inputMode: 'email',
    parse: textOrNull,
  },
  {
    name: 'postal_address',
    label: WORDS.postalAddress,
    parse: textOrNull,
  },
  {
    kind: 'checks',
    name: 'emails_off',
    label: WORDS.sent,
    options: MERCHANT_CHOICES.map((kind) => [kind, WORDS.KINDS[kind]] as const),
    // The form says what is sent, the API what is not.
    parse: (sent) => MERCHANT_CHOICES.filter((kind) => !sent.split(' ').includes(kind)),
  },
];

const FIELDS: readonly Field[] = [
  ...OTHERS,
  ...EMAIL_KINDS.map(
    (kind): Field => ({
      kind: 'long',
      name: OWN_TEXT + kind,
      label: WORDS.paragraph,
      inside: WORDS.KINDS[kind],
      hint: kind === 'confirm' ? WORDS.paragraphHintWithoutName : WORDS.paragraphHint,
      parse: textOrNull,
    }),
  ),
];

function draftOf(people: People): Draft {
  const texts: Readonly<Record<string, string>> = people.email_texts;
  return {
    reply_to: typed(people.reply_to),
    postal_address: typed(people.postal_address),
    emails_off: MERCHANT_CHOICES.filter((kind) => !people.emails_off.includes(kind)).join(' '),
    ...Object.fromEntries(EMAIL_KINDS.map((kind) => [OWN_TEXT + kind, texts[kind] ?? ''])),
  };
}

/** The paragraphs of all kinds are one field of the API. */
function bodyOf(changes: Changes): Changes {
  const isText = ([name]: readonly [string, unknown]) => name.startsWith(OWN_TEXT);
  const entries = Object.entries(changes);
  const texts = entries.filter(isText).map(([name, text]) => [name.slice(OWN_TEXT.length), text] as const);
  return {
    ...Object.fromEntries(entries.filter((entry) => !isText(entry))),
    ...(texts.length > 0 && { email_texts: Object.fromEntries(texts) }),
  };
}

export function EmailsSection({ stored, save }: PeopleSectionProps) {
  return (
    <StoredForm {...{ stored, draftOf }} fields={FIELDS} save={(changes) => save(bodyOf(changes))}>
      {(view) => (
        <>
          {view(...OTHERS.map(({ name }) => name))}
          <h3>{WORDS.texts}</h3>
          <div>
            {EMAIL_KINDS.map((kind) => (
              <Disclosure key={kind} label={WORDS.KINDS[kind]}>
                <div class="form email-kind">
                  {view(OWN_TEXT + kind)}
                  <EmailPreview kind={kind} people={stored} />
                </div>
              </Disclosure>
            ))}
          </div>
        </>
      )}
    </StoredForm>
  );
}

/** An email as people get it, as text: the page's own policy refuses the styles of its HTML. */
function EmailPreview({ kind, people }: { readonly kind: EmailKind; readonly people: People }) {
  const [loaded] = useLoaded(
    async (signal) => {
      const options = { body: { kind }, isRepeatable: true, signal };
      return (await api.send('post', '/v2/program/people/preview', options)).body.data.attributes;
    },
    [people],
    [],
  );
  return (
    <section class="email-preview" aria-label={WORDS.emailPreview}>
      <p class="hint">{WORDS.previewAdvice}</p>
      <WhenReady loaded={loaded} skeleton={<Skeleton lines={6} />}>
        {({ subject, text }) => (
          <>
            <p class="email-subject">{subject}</p>
            <p class="lines">{text}</p>
          </>
        )}
      </WhenReady>
    </section>
  );
}
