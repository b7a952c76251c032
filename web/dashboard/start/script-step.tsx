import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { formatDateAndTime } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import * as START from '../../words/dashboard/start.ts';
import { type Advocate, newestClick } from '../developers/reference.ts';
import { scriptCode } from '../developers/script-code.ts';
import { Code } from '../developers/server-code.tsx';
import { nameOf } from '../person.tsx';
import type { Program } from '../router.ts';
import { Check } from './check.tsx';

interface ScriptStepProps {
  readonly program: Program;
  readonly advocate: Advocate | undefined;
  readonly onTest: () => void;
  readonly onFound: () => void;
}

/** The lines of the script, and their test: a visit of the merchant's own site by an advocate's link. */
export function ScriptStep({ program, advocate, onTest, onFound }: ScriptStepProps) {
  return (
    <div class="form">
      <p>{START.scriptPlace}</p>
      <Code text={scriptCode(program.attributes.public_key)} copy={DEVELOPERS.copyScript} />
      {advocate ? (
        <Test advocate={advocate} onTest={onTest} onFound={onFound} />
      ) : (
        <p class="soft">{START.needsAdvocate}</p>
      )}
    </div>
  );
}

/** Seconds after which a visit would have arrived. */
const EXPECTED = 30;

function Test({
  advocate,
  onTest,
  onFound,
}: Omit<ScriptStepProps, 'program' | 'advocate'> & { readonly advocate: Advocate }) {
  const { slug, referral_link } = advocate.attributes;
  const [tests, setTests] = useState(0);
  /** The newest visit before the test. */
  const [known, setKnown] = useState<string>();
  const [loaded] = useLoaded(async (signal) => ({ click: await newestClick(slug, signal) }), [slug, tests]);
  const last = readyOf(loaded);
  const before = last?.value.click;
  const press = () => {
    // Until the visits before are known, one of them would look like the visit of the test.
    if (!last) return;
    window.open(referral_link, '_blank', 'noopener');
    setKnown(before?.id);
    setTests(tests + 1);
    onTest();
  };
  return (
    <>
      <div class="status-line">
        <p class="soft">
          <bdi>{START.testAdvice(nameOf(advocate.attributes))}</bdi>
        </p>
        <Button label={START.testScript} kind="primary" aria-disabled={!last} onClick={press} />
      </div>
      {tests === 0 ? (
        <div role="status" aria-label={START.scriptCheck} class="check-line">
          {before ? START.scriptLast(formatDateAndTime(before.attributes.created_at)) : START.scriptNever}
        </div>
      ) : (
        <Check
          key={tests}
          name={START.scriptCheck}
          waiting={START.scriptWaiting}
          read={async (signal) => {
            const click = await newestClick(slug, signal);
            return click && click.id !== known ? click : undefined;
          }}
          onFound={onFound}
          sentenceOf={({ attributes }) => START.scriptFound(formatDateAndTime(attributes.created_at))}
          help={(seconds) => seconds >= EXPECTED && <Causes />}
        />
      )}
    </>
  );
}

function Causes() {
  return (
    <>
      <p>{START.scriptMissing}</p>
      <ul>
        {START.SCRIPT_CAUSES.map((cause) => (
          <li key={cause}>{cause}</li>
        ))}
      </ul>
    </>
  );
}
