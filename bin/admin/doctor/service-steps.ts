import { setTimeout as pause } from 'node:timers/promises';
import type { State } from '../../../functions/domain/state.ts';
import { makeToken } from '../../../functions/domain/token.ts';
import { BROWSER } from '../../local/welcome.ts';
import type { CliContext } from '../cli.ts';
import { OtherContent } from './failure.ts';
import { CUSTOMER, IDEMPOTENCY_KEY, type ThrowAway } from './program.ts';
import type { Ask, Request } from './request.ts';
import type { Step } from './run.ts';

/** Indexes on AWS lag: a list may not show for this long what was written, in milliseconds. */
const LAG_LIMIT = 30_000;
const ASK_AGAIN_AFTER = 250;

/** The steps that need no program: whether the service is there at all, and lets in nobody. */
export function firstSteps(ask: Ask, { random }: CliContext): Step[] {
  return [
    {
      name: 'script',
      what: 'fetch the tracking script, twice',
      needs: [],
      run: async () => {
        const headers = { 'content-type': /javascript/, etag: /./ };
        const first = await ask({ operation: 'getScript' }, { status: 200, headers });
        const known = { 'if-none-match': first.get('etag') ?? '' };
        await ask({ operation: 'getScript', headers: known }, { status: 304 });
        return 'it is served, and not sent again to those who have it';
      },
    },
    {
      name: 'unknown token',
      what: 'list advocates with a token that nobody has',
      needs: ['script'],
      run: async () => {
        const token = makeToken('program', random);
        await ask({ operation: 'listAdvocates', token }, { status: 401, headers: { 'www-authenticate': /./ } });
        return 'a token that nobody has is refused';
      },
    },
  ];
}

/** The steps of a referral, from the click through all states to both lists. */
export function referralSteps(
  ask: Ask,
  { program, advocate, programToken, affiliateToken }: ThrowAway,
  { clock }: CliContext,
  stopped: AbortSignal,
): Step[] {
  const grId = `${advocate.slug}.${program.id}`;
  const referral = (email: string | null, state: State) => ({
    id: program.id,
    type: 'referral',
    attributes: { email, state },
  });
  const lists = async (request: Request, row: object) => {
    for (const end = clock() + LAG_LIMIT; ; await pause(ASK_AGAIN_AFTER)) {
      try {
        return await ask(request, { status: 200, json: { data: [row] } });
      } catch (error) {
        if (!(error instanceof OtherContent) || clock() >= end || stopped.aborted) throw error;
      }
    }
  };
  const setState = (state: State): Request => ({
    operation: 'setState',
    token: programToken,
    body: { uid: CUSTOMER.uid, state },
  });
  const setting = (name: string, state: State, needs: string): Step => ({
    name,
    what: `set the state ${state}`,
    needs: [needs],
    run: async () => {
      await ask(setState(state), { status: 200, json: { data: referral(CUSTOMER.email, state) } });
      return `the referral is ${state}`;
    },
  });
  const click: Request = {
    operation: 'trackClick',
    headers: { 'content-type': 'text/plain', 'user-agent': BROWSER },
    body: { pk: program.publicKey, gr_id: grId },
  };
  const conversion: Request = {
    operation: 'trackConversionV2',
    token: programToken,
    headers: { 'idempotency-key': IDEMPOTENCY_KEY },
    body: { gr_id: grId, ...CUSTOMER },
  };
  const converted = { status: 201, json: { data: referral(CUSTOMER.email, 'converted') } };
  return [
    {
      name: 'list of advocates',
      what: 'list the advocates of the program',
      needs: ['throw-away program'],
      run: async () => {
        const { id, slug, email } = advocate;
        const row = { id, type: 'advocate', attributes: { id, slug, email } };
        await lists({ operation: 'listAdvocates', token: programToken }, row);
        return 'it shows the advocate';
      },
    },
    {
      name: 'click',
      what: "follow the advocate's link, twice",
      needs: ['list of advocates'],
      run: async () => {
        await ask(click, { status: 204, headers: { 'x-click': /^recorded$/ } });
        await ask(click, { status: 204, headers: { 'x-click': /^known$/ } });
        return 'it is recorded, and known the second time';
      },
    },
    {
      name: 'list of clicks',
      what: "list the advocate's clicks",
      needs: ['click'],
      run: async () => {
        const query = 'state_eq=clicked';
        const row = referral(null, 'clicked');
        await lists({ operation: 'listReferrals', token: affiliateToken, query }, row);
        return 'it shows the click';
      },
    },
    {
      name: 'conversion',
      what: 'convert the click',
      needs: ['click'],
      run: async () => {
        await ask(conversion, converted);
        return 'the click is a referral now';
      },
    },
    {
      name: 'repeated conversion',
      what: 'send the conversion again',
      needs: ['conversion'],
      run: async () => {
        await ask(conversion, { ...converted, headers: { 'idempotent-replayed': /^true$/ } });
        return 'it gets the first answer again, by its Idempotency-Key';
      },
    },
    {
      name: 'V1 conversion',
      what: 'convert the same customer by V1',
      needs: ['conversion'],
      run: async () => {
        const body = { gr_id: grId, email: CUSTOMER.email };
        await ask(
          { operation: 'trackConversionV1', token: programToken, body },
          { status: 409, headers: { deprecation: /^@\d+$/ } },
        );
        return 'it is refused, for the referral exists, and says that it is deprecated';
      },
    },
    setting('payment', 'paid', 'conversion'),
    setting('loss', 'churned', 'payment'),
    setting('rejection', 'rejected', 'loss'),
    {
      name: 'refused state',
      what: 'set a state that cannot follow',
      needs: ['rejection'],
      run: async () => {
        await ask(setState('paid'), { status: 409 });
        return 'paid is refused after rejected';
      },
    },
    setting('restoration', 'converted', 'rejection'),
    {
      name: 'list of referrals',
      what: "list the advocate's referrals",
      needs: ['restoration'],
      run: async () => {
        const row = referral(CUSTOMER.email, 'converted');
        await lists({ operation: 'listReferrals', token: affiliateToken }, row);
        return 'it shows the referral with its state';
      },
    },
  ];
}
