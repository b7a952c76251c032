import type { OperationOf } from '../../functions/routes.ts';
import { anonymous, plain, post, UNKNOWN } from './builds.ts';
import { type LinkName, memberEmail } from './inbox.ts';
import type { Build, World } from './world.ts';

const ask =
  (page: string, email: (world: World) => string, pk?: string): Build =>
  (world) => ({ body: { pk: pk ?? world.publicKey, email: email(world), page } });
/** A body with the secret of a link. */
const spend =
  (link: LinkName, others = {}): Build =>
  async (world) => ({ body: { code: await world.secretIn(link, world), ...others } });
const signedIn =
  (body?: (world: World) => object): Build =>
  (world) => ({ token: world.session, body: body?.(world) });
/** A request to the member that `createMember` created. */
const member =
  (body?: object): Build =>
  ({ token, member: id }) => ({ token, path: { id }, body });
const unsubscribing: Build = async (world) => ({ path: { value: await world.secretIn('unsubscribe', world) } });
const nobody = ({ run }: World) => `nobody-${run}@example.com`;

/** The requests to each route of `people`. The second advocate must have had an email about a settlement. */
export const PEOPLE_REQUESTS: Record<OperationOf<'people'>, readonly Build[]> = {
  updatePeopleSettings: [
    post(({ run }) => ({ reply_to: `${run}@acme.example` })),
    post(() => ({ reply_to: 'nobody' })),
  ],
  getPeopleSettings: [plain, anonymous],
  previewEmail: [post(() => ({ kind: 'settled' })), post(() => ({ kind: 'none' }))],
  createMember: [
    post(({ run }) => ({ email: `ida-${run}@acme.example`, name: 'Ida', scopes: ['admin'] })),
    ...['Sam', 'Sam', 'Tom'].map((name) => post((world) => ({ email: memberEmail(world), name, scopes: ['read'] }))),
    ({ affiliateToken: token }) => ({ token, body: {} }),
  ],
  listMembers: [plain, anonymous],
  requestSignIn: [
    ask('portal', ({ email }) => email),
    ask('dashboard', memberEmail),
    ask('portal', nobody),
    ask('portal', nobody, 'pk_unknown'),
  ],
  createSession: [
    spend('signIn'),
    spend('signIn'),
    spend('memberSignIn', { keep: true }),
    () => ({ body: { code: 'none' } }),
  ],
  updateAffiliate: [
    signedIn(({ run }) => ({ payout_method: 'other', payout_account: `Account ${run}` })),
    signedIn(() => ({ first_name: 'Joe', emails_off: [] })),
    signedIn(() => ({ emails_off: ['none'] })),
    ({ affiliateToken: token }) => ({ token, body: {} }),
  ],
  deleteSession: [signedIn(), ({ memberSession: token }) => ({ token }), plain],
  undoPayoutAccount: [spend('undo'), spend('undo')],
  updateMember: [
    member({ scopes: ['read', 'advocates'] }),
    ({ token }) => ({ token, path: { id: UNKNOWN }, body: {} }),
  ],
  removeMember: [member(), member()],
  showUnsubscribe: [unsubscribing],
  unsubscribe: [unsubscribing, unsubscribing, () => ({ path: { value: 'none' } })],
  erasePerson: [post(({ email }) => ({ email })), post(() => ({ email: 'nobody' }))],
};
