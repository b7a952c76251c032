import { ENDPOINT } from './aws.ts';
import { until } from './checks.ts';
import type { World } from './world.ts';

/** An email that was sent. */
export interface Sent {
  readonly to: string;
  readonly subject: string;
  /** The plain text. */
  readonly text: string;
}

/** Lists the emails of a service, the newest first. */
export type Inbox = () => Promise<Sent[]>;

/** An email as the emulator shows it, of an account. */
interface Accepted {
  readonly To: readonly string[];
  readonly Subject: string;
  readonly BodyText: string;
}

/** Lists the emails that SES accepted. */
export const sesInbox: Inbox = async () => {
  const response = await fetch(`${ENDPOINT}/_ministack/ses/messages`);
  const { messages }: { messages: Record<string, Accepted[]> } = await response.json();
  return Object.values(messages)
    .flat()
    .map(({ To, Subject, BodyText }) => ({ to: To.join(), subject: Subject, text: BodyText }))
    .reverse();
};

/** Lists the emails that the local service shows. */
export const outboxOf =
  (baseUrl: string): Inbox =>
  async () => {
    const html = await (await fetch(`${baseUrl}/outbox`)).text();
    const page = html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    return [...page.matchAll(/^To: (.*)\n(?:Reply-To: .*\n)?Subject: (.*)\n([\s\S]*?)<\/pre>/gm)].map(
      ([, to = '', subject = '', text = '']) => ({ to, subject, text }),
    );
  };

/** The address of the member of a run. */
export const memberEmail = ({ run }: Pick<World, 'run'>): string => `sam-${run}@acme.example`;

/** The addresses that apply in a run: the first becomes an advocate, the second is rejected, the third waits. */
export const APPLICANTS = ['noor', 'kim', 'ola'] as const;
export type Applicant = (typeof APPLICANTS)[number];
export const isApplicant = (name: string): name is Applicant => APPLICANTS.some((each) => each === name);
export const applicantEmail = (name: Applicant, { run }: Pick<World, 'run'>): string => `${name}-${run}@apply.example`;
const confirmation = (name: Applicant) => {
  return { to: (world: Pick<World, 'run'>) => applicantEmail(name, world), secret: /#confirm=([\w-]+)/ };
};

/** The links of emails: to whom they go, and where their secret is. */
const LINKS = {
  signIn: { to: ({ email }: World) => email, secret: /#code=([\w-]+)/ },
  memberSignIn: { to: memberEmail, secret: /#code=([\w-]+)/ },
  undo: { to: ({ email }: World) => email, secret: /#undo=([\w-]+)/ },
  unsubscribe: { to: ({ email }: World) => email, secret: /\/v2\/unsubscribe\/([\w.-]+)/ },
  noor: confirmation('noor'),
  kim: confirmation('kim'),
  ola: confirmation('ola'),
} as const;
export type LinkName = keyof typeof LINKS;

/** How late an email may be, in seconds. */
export const LATEST = 30;

/** Returns a function that waits for an email with a link, and resolves to the secret in it. */
export const secretsIn =
  (inbox: Inbox = async () => []): World['secretIn'] =>
  (link, world) =>
    until(
      `email with the link ${link}`,
      async () => {
        const { to, secret } = LINKS[link];
        // Only these emails are sent in several programs, and name the page of theirs.
        const isOwn = ({ text }: Sent) => link !== 'unsubscribe' || text.includes(world.publicKey);
        const own = (await inbox()).filter((sent) => sent.to === to(world) && isOwn(sent));
        return own.flatMap(({ text }) => secret.exec(text)?.[1] ?? []).at(0);
      },
      LATEST,
    );
