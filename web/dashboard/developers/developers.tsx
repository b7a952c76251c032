import { Card } from '../../kit/card.tsx';
import { useLoaded } from '../../kit/loaded.ts';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { useDashboard } from '../router.ts';
import { Sections } from '../settings/sections.tsx';
import { Explain } from './explain.tsx';
import { newestAdvocate, referenceOf } from './reference.ts';
import { scriptCode } from './script-code.ts';
import { Code, ServerCode } from './server-code.tsx';
import { Stripe } from './stripe.tsx';
import { Tokens } from './tokens.tsx';
import { Webhooks } from './webhooks.tsx';

/** What connects the merchant's site, servers and Stripe to the program, in sections. */
export function Developers() {
  return (
    <Sections view="developers" label={DEVELOPERS.navigation} names={DEVELOPERS.SECTIONS} sections={SECTIONS}>
      {(section) => {
        const Content = CONTENTS[section];
        return <Content />;
      }}
    </Sections>
  );
}

function Script() {
  const { program } = useDashboard();
  return (
    <Card title={DEVELOPERS.SECTIONS.script} advice={DEVELOPERS.scriptAdvice}>
      {program ? (
        <Code text={scriptCode(program.attributes.public_key)} copy={DEVELOPERS.copyScript} />
      ) : (
        <Skeleton lines={1} height={8} />
      )}
    </Card>
  );
}

function StripeSection() {
  return (
    <Card title={DEVELOPERS.SECTIONS.stripe} advice={DEVELOPERS.stripeAdvice}>
      <Stripe />
    </Card>
  );
}

function ServerSection() {
  const [reference] = useLoaded(async (signal) => referenceOf(await newestAdvocate(signal), signal), []);
  return (
    <>
      <Card title={DEVELOPERS.signUps} advice={DEVELOPERS.signUpsAdvice}>
        <WhenReady loaded={reference} skeleton={<Skeleton lines={1} height={31} />}>
          {(signUp) => <ServerCode event={{ signUp }} />}
        </WhenReady>
      </Card>
      <Card title={DEVELOPERS.payments} advice={DEVELOPERS.paymentsAdvice}>
        <ServerCode event={{ payment: { currency: 'eur' } }} />
      </Card>
    </>
  );
}

/** The local service has a page that sends each request of the API. */
const HAS_REFERENCE = /^(?:localhost|127\.|\[::1\])/.test(location.hostname);

function Documentation() {
  return (
    <Card title={DEVELOPERS.SECTIONS.documentation} advice={DEVELOPERS.documentationAdvice}>
      <dl class="documents">
        {DEVELOPERS.DOCUMENTS.map(([file, about]) => (
          <div key={file}>
            <dt>
              <code>{file}</code>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      {HAS_REFERENCE && <a href="docs">{DEVELOPERS.reference}</a>}
    </Card>
  );
}

const SECTIONS = ['script', 'server-code', 'stripe', 'webhooks', 'tokens', 'explain', 'documentation'] as const;
const CONTENTS = {
  script: Script,
  'server-code': ServerSection,
  stripe: StripeSection,
  webhooks: Webhooks,
  tokens: Tokens,
  explain: Explain,
  documentation: Documentation,
};
