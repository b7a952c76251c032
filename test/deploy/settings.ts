import { callJson, callRest, succeeded } from './aws.ts';
import type { Deployment } from './cdk.ts';
import { check, equal, until } from './checks.ts';
import { clickId } from './requests.ts';
import { functionsOf } from './roles.ts';
import { mustSend, ORIGIN, type World } from './world.ts';

const SOURCE = 'aws.partner/stripe.com/ed_1';

/** The settings of the second deployment of prod. */
export const settingsOf = ({ program }: World) => ({
  ...{ stage: 'prod', origins: ORIGIN, clicksPerSecond: '50', tracing: 'on' },
  ...{ stripeEventSource: SOURCE, stripeProgram: program },
});

/** Checks that each setting has its effect. */
export async function checkSettings(prod: Deployment, world: World): Promise<void> {
  await check('only pages of the setting origins may call the API', async () => {
    const allowedFor = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const response = await fetch(`${world.baseUrl}/v2/tracking/click`, { method: 'OPTIONS', headers });
      return response.headers.get('access-control-allow-origin');
    };
    equal([await allowedFor(ORIGIN), await allowedFor('https://other.example')], [ORIGIN, null]);
  });
  await check('the setting clicksPerSecond is the throttle of its route', async () => {
    const [id] = new URL(prod.baseUrl).hostname.split('.');
    const { json } = await succeeded(callRest('apigateway', `GET /v2/apis/${id}/stages`));
    const settings = JSON.parse(JSON.stringify(json.items[0].routeSettings).toLowerCase())['post /v2/tracking/click'];
    equal([settings.throttlingratelimit, settings.throttlingburstlimit], [50, 100]);
  });
  await check('the setting tracing traces each function', async () => {
    const modes = (await functionsOf(prod)).map(({ name, isTraced }) => [name, isTraced]);
    equal(
      modes.filter(([, isTraced]) => !isTraced),
      [],
    );
  });
  await check("an event on Stripe's bus pays a referral", () => payOnBus(world));
}

async function payOnBus(world: World): Promise<void> {
  const { token, slug } = world;
  const email = 'bus@shop.example';
  await mustSend(world, 'trackConversionV2', {
    token,
    body: { email, gr_id: `${slug}.${clickId(3)}` },
  });
  const created = Math.floor(Date.now() / 1000);
  const event = {
    id: 'evt_bus',
    type: 'invoice.paid',
    created,
    data: { object: { amount_paid: 5, customer_email: email } },
  };
  const entry = { Source: SOURCE, DetailType: event.type, Detail: JSON.stringify(event) };
  const { json } = await succeeded(callJson('events', 'PutPartnerEvents', { Entries: [entry] }));
  equal(json.FailedEntryCount, 0, 'failed entries');
  await until('payment', async () => {
    const { data } = await mustSend(world, 'lookUpReferral', { token, body: { email } });
    return data.attributes.state === 'paid' || undefined;
  });
}
