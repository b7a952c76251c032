import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { hasTerms, termsText } from '../../kit/rules.ts';
import * as START from '../../words/dashboard/start.ts';
import type { Program } from '../router.ts';
import { CommissionStep } from './commission-step.tsx';
import { InviteStep } from './invite-step.tsx';
import { remembered } from './memory.ts';
import { PortalStep } from './portal-step.tsx';
import type { Progress } from './progress.ts';
import { PaymentStep, SignUpStep } from './report-steps.tsx';
import { ScriptStep } from './script-step.tsx';

const STEPS = ['commission', 'invite', 'script', 'signUps', 'payments', 'portal'] as const;
type Step = (typeof STEPS)[number];
type State = keyof typeof START.STATES;
/** What the page has seen of a step before the numbers know it. */
export type Known = Readonly<Partial<Record<Step, State>>>;

interface StartProps {
  readonly program: Program;
  readonly progress: Progress;
  readonly hasEmails: boolean;
  readonly known: Known;
  readonly onKnown: (known: Known) => void;
  /** Reads the progress again. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** The six steps of a new program, one of them open. Each is completed here. */
export function Start({ program, progress, hasEmails, known, onKnown, onChanged, onClose }: StartProps) {
  const states = statesOf(program, progress, known);
  const [open, setOpen] = useState<Step | undefined>(() => STEPS.find((step) => states[step] !== 'done'));
  const done = STEPS.filter((step) => states[step] === 'done').length;
  const isDone = done === STEPS.length;
  useEffect(() => {
    if (isDone) remembered(program.id, 'hidden');
    else if (remembered(program.id) === null) remembered(program.id, 'begun');
  }, [isDone]);
  const know = (step: Step, state: State) => {
    onKnown({ ...known, [step]: state });
    onChanged();
  };
  /** The step whose button gets the focus, after the pressed button has disappeared. */
  const [focused, setFocused] = useState<Step>();
  const finish = (step: Step) => {
    know(step, 'done');
    const next = STEPS.find((each) => each !== step && states[each] !== 'done');
    setOpen(next);
    setFocused(next ?? step);
  };
  const finishPortal = () => {
    remembered(program.id, 'portal');
    finish('portal');
  };
  const contentOf = (step: Step): ComponentChildren => {
    const { advocate } = progress;
    switch (step) {
      case 'commission':
        return <CommissionStep program={program} onDone={() => finish(step)} />;
      case 'invite':
        return <InviteStep {...{ program, advocate, hasEmails }} onDone={() => know(step, 'done')} />;
      case 'script': {
        const test = () => onKnown({ [step]: 'waiting', ...known });
        return <ScriptStep {...{ program, advocate }} onTest={test} onFound={() => know(step, 'done')} />;
      }
      case 'signUps':
        return <SignUpStep advocate={advocate} onFound={() => know(step, 'done')} />;
      case 'payments':
        return <PaymentStep onStripe={onChanged} onFound={() => know(step, 'done')} />;
      case 'portal':
        return <PortalStep {...{ program, hasEmails }} onDone={finishPortal} />;
    }
  };
  return (
    <Card
      title={START.title}
      advice={isDone ? START.allDone : START.progress(done, STEPS.length)}
      kind="start"
      beside={<Button label={isDone ? START.close : START.hide} kind={isDone ? '' : 'quiet'} onClick={onClose} />}
    >
      <ol class="steps">
        {STEPS.map((step) => (
          <StepLine
            key={step}
            title={START.STEPS[step]}
            note={step === 'commission' && states[step] === 'done' && START.rulesNow(termsText(program.attributes))}
            state={states[step]}
            isOpen={step === open}
            takesFocus={step === focused}
            onToggle={() => setOpen(step === open ? undefined : step)}
          >
            {contentOf(step)}
          </StepLine>
        ))}
      </ol>
    </Card>
  );
}

/** Waiting: everything is set here, and nothing has arrived yet. */
function statesOf(program: Program, progress: Progress, known: Known): Record<Step, State> {
  const isDone = (step: Step, isTrue: boolean): State => (isTrue ? 'done' : (known[step] ?? 'open'));
  const payments = isDone('payments', progress.hasPayments);
  return {
    commission: isDone('commission', hasTerms(program.attributes)),
    invite: isDone('invite', progress.advocate !== undefined || progress.hasSignUps),
    script: isDone('script', progress.hasClicks),
    signUps: isDone('signUps', progress.hasSignUps),
    payments: payments === 'open' && progress.hasStripe ? 'waiting' : payments,
    portal: isDone('portal', !['begun', null].includes(remembered(program.id))),
  };
}

interface StepLineProps {
  readonly title: string;
  /** Stands below the title while the step is closed. */
  readonly note: string | false;
  readonly state: State;
  readonly isOpen: boolean;
  readonly takesFocus: boolean;
  readonly onToggle: () => void;
  readonly children: ComponentChildren;
}

function StepLine({ title, note, state, isOpen, takesFocus, onToggle, children }: StepLineProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, [takesFocus]);
  return (
    <li class={`step ${state}`}>
      <h3>
        <button
          ref={button}
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-describedby={`${id}-state`}
          onClick={onToggle}
        >
          {title}
        </button>
        <span id={`${id}-state`} class="step-state soft">
          {START.STATES[state]}
        </span>
      </h3>
      {!isOpen && note && <p class="step-note soft">{note}</p>}
      {isOpen && (
        <div id={id} class="step-content">
          {children}
        </div>
      )}
    </li>
  );
}
