import type { Page } from 'playwright-core';
import { localAccess } from '../../../bin/admin/secrets.ts';
import { readService } from '../../../bin/service/service-file.ts';
import { adminWith } from '../admin-here.ts';
import { newId } from '../program.ts';
import { openTable } from '../table.ts';
import { until } from '../until.ts';
import { TIMEOUT } from './chromium.ts';
import { newAddress, usePortal } from './portal-page.ts';

/** What the command `dashboard --json` prints. */
interface Link {
  readonly url: string;
  readonly id: string;
}

/** Starts the whole service and a Chromium for the tests of a file, with programs of their own. */
export function useDashboardPages() {
  const service = usePortal();

  async function admin<Printed>(...args: readonly string[]): Promise<Printed> {
    const { tableName = '', endpoint } = readService(service.folder()) ?? {};
    const parts = localAccess(service.folder());
    const ended = await adminWith({ table: openTable(tableName, endpoint), parts }, ...args, '--json');
    if (ended.status !== 0) throw new Error(ended.stderr);
    return JSON.parse(ended.stdout);
  }

  return {
    ...service,
    openPortal: service.open,
    admin,
    /** An empty program. */
    aProgram: async (): Promise<string> => {
      const args = ['--name', 'Beans & Co', '--site-url', 'https://beans.example', '--commission-percentage', '20'];
      return (await admin<{ id: string }>('program', 'create', ...args)).id;
    },
    /** The link that signs in, of the command. */
    linkOf: (program: string): Promise<Link> =>
      admin<Link>('dashboard', '--program', program, '--base-url', service.url()),
    /** A token of a program, which does not come from a link. */
    tokenOf: async (program: string, ...scopes: readonly string[]): Promise<string> => {
      const scope = scopes.length > 0 ? ['--scope', ...scopes] : [];
      return (await admin<{ token: string }>('token', 'create', '--program', program, ...scope)).token;
    },
    /** An advocate of a program. */
    advocateOf: async (token: string, fields: object = {}): Promise<string> => {
      type Stored = { attributes: { slug: string } };
      const body = { email: newAddress(), ...fields };
      return (await service.call<Stored>('/v2/advocates', body, token)).attributes.slug;
    },
    /** A referral of a program. Returns its id. */
    referralOf: async (token: string, affiliate_slug: string, fields: object = {}): Promise<string> => {
      const body = { affiliate_slug, uid: newId(), ...fields };
      return (await service.call<{ id: string }>('/v2/tracking/conversion', body, token)).id;
    },
    /** Resolves when the totals of a program count this many customers. */
    countedAll: async (token: string, conversions: number): Promise<void> => {
      type Statistics = { attributes: { total: { conversions: number } } };
      const total = () => service.call<Statistics>('/v2/statistics?range=lifetime', undefined, token);
      await until(async () => (await total()).attributes.total.conversions >= conversions);
    },
    /** Waits for an email with a link of a kind. */
    linkTo: async (address: string, fragment: 'code' | 'undo' | 'program' | 'confirm'): Promise<string> => {
      const link = new RegExp(`To: ${address}\\n[^<]*?(http\\S+#${fragment}=\\S+)`);
      const end = Date.now() + TIMEOUT;
      let emails = '';
      let found: string | undefined;
      await until(async () => {
        emails = await (await fetch(`${service.url()}/outbox`)).text();
        found = link.exec(emails)?.[1];
        return found !== undefined || Date.now() > end;
      });
      if (found !== undefined) return found.replaceAll('&#38;', '&');
      const others = Array.from(emails.matchAll(/<summary>(.*?)<time/gs), ([, email]) => email);
      throw new Error(`No email to ${address} has a link #${fragment}=. The outbox has: ${others.join('; ')}`);
    },
    /** Signs in with a token in the form, and opens a view. */
    open: (page: Page, token: string, hash = '') =>
      signIn(page, `${service.url()}/dashboard`, token).then(() => (hash ? navigate(page, hash) : undefined)),
  };
}

/** Types a token into the form. */
async function signIn(page: Page, url: string, token: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('textbox', { name: 'Program token', exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Account' }).waitFor();
}

async function navigate(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
export const field = (page: Page, box: string, name: string) =>
  dialog(page, box).getByRole('textbox', { name, exact: true });
/** The link of the navigation. */
export const viewLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}
