import type { OperationOf } from '../../functions/routes.ts';
import { anonymous, plain, post, UNKNOWN } from './builds.ts';
import { APPLICANTS, type Applicant, applicantEmail, type LinkName, memberEmail } from './inbox.ts';
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
const FIELDS = [{ key: 'website', label: 'Your website', kind: 'url', required: true }];
const form =
  (pk?: string): Build =>
  ({ publicKey }) => ({ path: { pk: pk ?? publicKey } });
const applying =
  (name: Applicant, others = {}): Build =>
  (world) => {
    const answers = { website: 'https://shop.example' };
    const body = { pk: world.publicKey, email: applicantEmail(name, world), first_name: name, answers, ...others };
    return { body };
  };
/** A request to an application that `confirmApplication` confirmed. */
const deciding =
  (name: Applicant, body: (world: World) => object = () => ({})): Build =>
  (world) => ({
    token: world.token,
    path: { application: world.applications[name] ?? UNKNOWN },
    body: body(world),
  });
const listing =
  (query: string): Build =>
  ({ token }) => ({ token, query });
const inviting =
  (slug?: string): Build =>
  ({ token, other }) => ({ token, path: { slug: slug ?? other } });

/** The requests to each route of `people`. The second advocate must have had an email about a settlement. */
export const PEOPLE_REQUESTS: Record<OperationOf<'people'>, readonly Build[]> = {
  updatePeopleSettings: [
    post(({ run }) => ({ reply_to: `${run}@acme.example`, applications: 'review', application_fields: FIELDS })),
    post(() => ({ reply_to: 'nobody' })),
  ],
  getPeopleSettings: [plain, anonymous],
  previewEmail: [post(() => ({ kind: 'settled' })), post(() => ({ kind: 'none' }))],
  createMember: [
    post(({ run }) => ({ email: `ida-${run}@acme.example`, name: 'Ida', scopes: ['admin', 'advocates'] })),
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
  getApplicationForm: [form(), form('pk_unknown')],
  sendApplication: [
    ...APPLICANTS.map((name) => applying(name)),
    applying('noor', { answers: {} }),
    applying('noor', { leave_empty: '1' }),
    applying('noor', { pk: 'pk_unknown' }),
  ],
  lookUpApplication: [spend('noor'), () => ({ body: { code: 'none' } })],
  confirmApplication: [...APPLICANTS, APPLICANTS[0]].map((name) => spend(name)),
  listApplications: ['', 'state_eq=unconfirmed', 'state_eq=none'].map(listing),
  // The email to the members says that one waits.
  approveApplication: [
    deciding('noor', ({ run }) => ({ uid: `n-${run}` })),
    deciding('noor'),
    deciding('kim', () => ({ slug: '?' })),
  ],
  rejectApplication: [
    deciding('kim', () => ({ note: 'Not now', notify: true })),
    deciding('kim'),
    deciding('noor'),
    ({ token }) => ({ token, path: { application: UNKNOWN } }),
  ],
  inviteAdvocate: [inviting(), inviting(), inviting('nobody')],
  erasePerson: [post(({ email }) => ({ email })), post(() => ({ email: 'nobody' }))],
};
