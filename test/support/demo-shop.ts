import { beforeAll } from '@jest/globals';
import type { Demo } from '../../bin/local/demo/demo.ts';
import { demoShop } from '../../bin/local/demo/site.ts';
import { functionsOf, type Pages } from '../../bin/local/gateway.ts';
import type { Advocate } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { type SecretReader, stripeOwner } from '../../functions/kernel/secrets/secrets.ts';
import { partsOf, useGateway } from './drivers.ts';
import { anAdvocate, aProgram, aToken } from './program.ts';
import { useTable } from './use-table.ts';

const secretOf = (seed: string) => `whsec_${Buffer.alloc(24, seed).toString('base64')}`;

/** A demo shop of its own program on a local gateway, for the tests of a file. */
export function useDemoShop() {
  const table = useTable();
  let program: Program;
  let advocate: Advocate;
  let demo: Demo;
  let site: Pages;
  const secrets: SecretReader = {
    read: async (owner) =>
      owner === stripeOwner(program.id) ? [{ value: demo.stripeSecret, createdAt: table.clock() }] : [],
  };
  const { url } = useGateway(functionsOf(table.connection, partsOf(secrets)), (pageRequest) => site(pageRequest));
  beforeAll(async () => {
    program = await aProgram(table);
    advocate = await anAdvocate(table, program);
    demo = {
      programId: program.id,
      mode: program.mode,
      stripeSecret: secretOf('stripe'),
      webhookSecret: secretOf('webhook'),
      publicKey: program.publicKey,
      advocateSlug: advocate.slug,
      advocateName: `${advocate.firstName} ${advocate.lastName}`,
      advocateEmail: advocate.email ?? '',
      memberEmail: 'member@shop.example',
      programToken: await aToken(table, program),
      affiliateToken: await aToken(table, program, advocate),
    };
    site = demoShop(demo);
  });
  return {
    table,
    url,
    program: () => program,
    advocate: () => advocate,
    demo: () => demo,
    /** Sends a form as the shop's page does. A string is sent as it is. */
    send: async (action: string, body: unknown, headers: Record<string, string> = {}) => {
      const response = await fetch(`${url()}/demo/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await response.text();
      const [cookie] = response.headers.getSetCookie();
      return { status: response.status, json: text === '' ? undefined : JSON.parse(text), cookie };
    },
  };
}
