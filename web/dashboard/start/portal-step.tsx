import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import * as START from '../../words/dashboard/start.ts';
import { baseUrl, portalCode, portalRoute } from '../developers/script-code.ts';
import { Code } from '../developers/server-code.tsx';
import { CopyField } from '../form-dialog.tsx';
import type { Program } from '../router.ts';

interface PortalStepProps {
  readonly program: Program;
  readonly hasEmails: boolean;
  readonly onDone: () => void;
}

/** How advocates open their page: a link that signs them in by email, or an element on the merchant's site. */
export function PortalStep({ program, hasEmails, onDone }: PortalStepProps) {
  const [way, setWay] = useState('link');
  const link = () => (
    <>
      <p>{START.signInAdvice}</p>
      <CopyField label={START.signInLink} value={`${baseUrl()}/account#program=${program.attributes.public_key}`} />
    </>
  );
  const site = () => (
    <>
      <p>{START.siteAdvice}</p>
      <Code text={portalCode()} />
      <p>{START.routeAdvice}</p>
      <Code text={portalRoute()} />
    </>
  );
  return (
    <div class="form">
      {hasEmails ? (
        <Tabs
          label={START.portalWays}
          tabs={[
            { id: 'link', label: START.WAYS.link, content: link },
            { id: 'site', label: START.WAYS.site, content: site },
          ]}
          selected={way}
          onSelect={setWay}
        />
      ) : (
        site()
      )}
      <div class="buttons">
        <Button label={START.shown} kind="primary" onClick={onDone} />
      </div>
    </div>
  );
}
