import type { Route } from '../../kernel/http/route.ts';

const ADMIN = { token: 'program', scope: 'admin' } as const;
const ADVOCATES = { token: 'program', scope: 'advocates' } as const;
const OWN = { function: 'people', throttle: { rate: 10, burst: 20 } } as const;

/** The routes of sign-in, members, emails and applications. */
export const PEOPLE_ROUTES = {
  requestSignIn: { method: 'POST', path: '/v2/sign-in', access: 'anyone', ...OWN },
  createSession: { method: 'POST', path: '/v2/session', access: 'anyone', ...OWN },
  deleteSession: { method: 'DELETE', path: '/v2/session', access: { token: 'session' }, ...OWN },
  updateAffiliate: { method: 'PATCH', path: '/v2/affiliate', access: { token: 'affiliate' }, ...OWN },
  undoPayoutAccount: { method: 'POST', path: '/v2/payout-account/undo', access: 'anyone', ...OWN },
  showUnsubscribe: { method: 'GET', path: '/v2/unsubscribe/{value}', access: 'anyone', ...OWN },
  unsubscribe: { method: 'POST', path: '/v2/unsubscribe/{value}', access: 'anyone', ignoresBody: true, ...OWN },
  listMembers: { method: 'GET', path: '/v2/members', access: ADMIN, ...OWN },
  createMember: { method: 'POST', path: '/v2/members', access: ADMIN, ...OWN },
  updateMember: { method: 'PATCH', path: '/v2/members/{id}', access: ADMIN, ...OWN },
  removeMember: { method: 'DELETE', path: '/v2/members/{id}', access: ADMIN, ...OWN },
  getPeopleSettings: { method: 'GET', path: '/v2/program/people', access: ADMIN, ...OWN },
  updatePeopleSettings: { method: 'PATCH', path: '/v2/program/people', access: ADMIN, ...OWN },
  previewEmail: { method: 'POST', path: '/v2/program/people/preview', access: ADMIN, ...OWN },
  erasePerson: { method: 'POST', path: '/v2/people/erase', access: ADVOCATES, ...OWN },
  getApplicationForm: { method: 'GET', path: '/v2/apply/{pk}', access: 'anyone', ...OWN },
  sendApplication: { method: 'POST', path: '/v2/applications', access: 'anyone', ...OWN },
  lookUpApplication: { method: 'POST', path: '/v2/applications/lookup', access: 'anyone', ...OWN },
  confirmApplication: { method: 'POST', path: '/v2/applications/confirm', access: 'anyone', ...OWN },
  listApplications: { method: 'GET', path: '/v2/applications', access: ADVOCATES, ...OWN },
  approveApplication: {
    method: 'POST',
    path: '/v2/applications/{application}/approve',
    access: ADVOCATES,
    optionalBody: true,
    ...OWN,
  },
  rejectApplication: {
    method: 'POST',
    path: '/v2/applications/{application}/reject',
    access: ADVOCATES,
    optionalBody: true,
    ...OWN,
  },
  inviteAdvocate: {
    method: 'POST',
    path: '/v2/advocates/{slug}/invite',
    access: ADVOCATES,
    ignoresBody: true,
    ...OWN,
  },
} as const satisfies Record<string, Route>;
