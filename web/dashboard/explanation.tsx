import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../kit/api.ts';
import { ApiError } from '../kit/api-error.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { formatDateAndTime } from '../kit/format.ts';
import { submitting } from '../kit/forms.tsx';
import { useLoaded } from '../kit/loaded.ts';
import { Skeleton, WhenReady } from '../kit/when-ready.tsx';
import * as WORDS from '../words/dashboard/explanation.ts';
import * as REFERRALS from '../words/dashboard/referrals.ts';
import { ChooseAdvocate } from './choose-advocate.tsx';
import { hrefOf } from './router.ts';
import { api } from './service.ts';

/** Identifies the customer, the code or the payment that a question is about. */
export type About =
  | { readonly email: string }
  | { readonly uid: string }
  | { readonly id: string }
  | { readonly gr_id: string }
  | { readonly code: string }
  | { readonly payment_id: string };

interface ExplanationProps {
  readonly about: About;
  /** The advocate who should be credited: "Why not Jane?" */
  readonly affiliateSlug?: string;
  /** True for only the steps that decided who is credited. */
  readonly isOfCredit?: boolean;
  /** Stands below the steps. */
  readonly children?: ComponentChildren;
}

/** Why a customer is credited, or not: the verdict, what to do, and what happened. Asks about other advocates as well. */
export function Explanation({ about, affiliateSlug = '', isOfCredit = false, children }: ExplanationProps) {
  const [asked, setAsked] = useState(affiliateSlug);
  const [loaded] = useLoaded(
    async (signal) => {
      const body = { ...about, ...(asked && { affiliate_slug: asked }) };
      const options = { body, signal, isRepeatable: true };
      const answer = api.send('post', '/v2/referrals/explain', options);
      return answer.then(({ body: { data } }) => data.attributes, refusal);
    },
    [about, asked],
    [about],
  );
  return (
    <div class="explanation">
      <WhenReady loaded={loaded} skeleton={<Skeleton lines={4} height={1.25} />}>
        {(found) =>
          found instanceof ApiError ? (
            <p class="fault">{found.message}</p>
          ) : (
            <Found {...found} steps={isOfCredit ? creditsOf(found.steps) : found.steps} />
          )
        }
      </WhenReady>
      {children}
      {!('code' in about) && <WhyNot asked={asked} onAsk={setAsked} />}
    </div>
  );
}

/** What was typed is not valid: trying again would not help. */
function refusal(error: unknown): ApiError {
  if (error instanceof ApiError && error.status === 400) return error;
  throw error;
}

interface WhyNotProps {
  readonly asked: string;
  readonly onAsk: (slug: string) => void;
}

function WhyNot({ asked, onAsk }: WhyNotProps) {
  const [typed, setTyped] = useState(asked);
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) return <Button label={WORDS.whyNot} kind="link" onClick={() => setOpen(true)} />;
  return (
    <form class="inline-form" onSubmit={submitting(() => onAsk(typed.trim().toLowerCase()))}>
      <ChooseAdvocate value={typed} onChange={setTyped} />
      <button type="submit">{WORDS.explain}</button>
    </form>
  );
}

/** A dialog with the explanation. */
export function ExplanationDialog({ onClose, ...props }: ExplanationProps & { readonly onClose: () => void }) {
  return (
    <Dialog title={WORDS.title} onClose={onClose}>
      <Explanation {...props} />
    </Dialog>
  );
}

type Attributes = Schemas['Explanation']['attributes'];
type Step = Attributes['steps'][number];

interface FoundProps extends Omit<Attributes, 'steps'> {
  readonly steps: readonly Step[];
}

/** A page that is open for long may meet a verdict of a later version: then the API's own sentence is shown. */
const VERDICTS: Partial<Record<string, readonly [string, string]>> = WORDS.VERDICTS;
const STEPS: Partial<Record<string, (typeof WORDS.STEPS)[keyof typeof WORDS.STEPS]>> = WORDS.STEPS;

function Found({ verdict, advice: sentence, affiliate_slug: slug, steps }: FoundProps) {
  const [title, advice] = VERDICTS[verdict] ?? [undefined, sentence];
  const isCredited = verdict === 'credited' || verdict === 'other_advocate';
  return (
    <>
      <p role="status">
        {isCredited && slug !== null ? (
          <bdi>
            {WORDS.creditedTo} <AdvocateLink slug={slug} />
          </bdi>
        ) : (
          <strong>{title}</strong>
        )}{' '}
        <span class="soft">{advice}</span>
      </p>
      <ul class="timeline">
        {steps.map((step, index) => (
          <li key={index}>
            {formatDateAndTime(step.at)}: <bdi>{sentenceOf(step, steps)}</bdi>{' '}
            <span class="soft">· {REFERRALS.ACTORS[step.source]}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The link name of an advocate, which leads to it. */
export function AdvocateLink({ slug }: { readonly slug: string }) {
  return (
    <a href={hrefOf('advocates', slug)}>
      <bdi>{slug}</bdi>
    </a>
  );
}

/** Leaves out what came after the sign-up, but for moves. */
function creditsOf(steps: readonly Step[]): readonly Step[] {
  const signUp = steps.findIndex(({ outcome }) => outcome === 'converted');
  return steps.filter(({ outcome }, index) => signUp < 0 || index <= signUp || outcome === 'reassigned');
}

function sentenceOf({ outcome, affiliate_slug, code }: Step, steps: readonly Step[]): string {
  const hasVisited = steps.some((step) => step.outcome === 'clicked');
  return STEPS[outcome]?.({ advocate: affiliate_slug ?? '–', code, hasVisited }) ?? outcome;
}
