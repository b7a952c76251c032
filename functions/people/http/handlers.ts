import { toAffiliateData } from '../../advocates/http/mapping.ts';
import { changeOwn } from '../../advocates/rules/advocate-changes.ts';
import { replaceAdvocate } from '../../advocates/table/advocates.ts';
import { deleteAddressItems } from '../../kernel/accounts/table/address-items.ts';
import { readMembers } from '../../kernel/accounts/table/members.ts';
import { validTokenCheck } from '../../kernel/accounts/table/tokens.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { TokenRevoked, UnknownPublicKey } from '../../kernel/errors.ts';
import type { HttpHandler } from '../../kernel/http/context.ts';
import { json, noContent, urlOf } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { assertNoQuery } from '../../kernel/http/validation.ts';
import type { RecordMetrics } from '../../kernel/log/metrics.ts';
import { secondOf } from '../../kernel/time.ts';
import { listProgramTokens } from '../../program/table/program-changes.ts';
import { exampleContent } from '../rules/emails/content.ts';
import { writeEmail } from '../rules/emails/email.ts';
import { createMember, removeMember, updateMember } from '../table/members.ts';
import { changePeopleSettings, readPeopleSettings } from '../table/people-settings.ts';
import { signIn, signOut } from '../table/sessions.ts';
import { requestLink } from '../table/sign-in-links.ts';
import { undoAccountChange } from '../table/undo.ts';
import { applicationHandlers } from './applications/handlers.ts';
import {
  assertInSession,
  editorOf,
  parseCode,
  parseMember,
  parseMemberChanges,
  parseOwnChanges,
  parsePeopleChanges,
  parsePerson,
  parsePreview,
  parseSession,
  parseSignIn,
  toEmailPreview,
  toMember,
  toPeopleSettings,
  toRemovedMember,
  toSession,
} from './mapping.ts';
import { PEOPLE_ROUTES } from './routes.ts';
import { unsubscribeHandlers } from './unsubscribe-handlers.ts';

/** The operations of sign-in, members, and the emails of a program. */
export const peopleHandlers = (service: Service<Table>, recordMetrics: RecordMetrics) => ({
  requestSignIn: requestSignInHandler(service, recordMetrics),
  createSession: createSessionHandler(service),
  deleteSession: deleteSessionHandler(service),
  updateAffiliate: updateAffiliateHandler(service),
  undoPayoutAccount: undoHandler(service),
  ...unsubscribeHandlers(service),
  ...applicationHandlers(service, recordMetrics),
  listMembers: listMembersHandler(service),
  createMember: createMemberHandler(service),
  updateMember: updateMemberHandler(service),
  removeMember: removeMemberHandler(service),
  getPeopleSettings: getSettingsHandler(service),
  updatePeopleSettings: updateSettingsHandler(service),
  previewEmail: previewHandler(service),
  erasePerson: eraseHandler(service),
});

/** `POST /v2/sign-in`: asks for a link. It looks nobody up: the response to every address is the same. */
function requestSignInHandler(service: Service<Table>, recordMetrics: RecordMetrics): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.requestSignIn,
    service,
    input: (_, body) => parseSignIn(body),
    handle: async ({ input: { publicKey, request }, table }) => {
      const program = await service.callers.byPublicKey(table, publicKey);
      if (!program) throw new UnknownPublicKey();
      if (!(await requestLink(table, program.id, request))) recordMetrics(program.id, { LimitedLinks: 1 });
      return noContent();
    },
  });
}

/** `POST /v2/session`: signs in the person to whom a link was sent. */
function createSessionHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.createSession,
    service,
    input: (_, body) => parseSession(body),
    handle: async ({ input: { code, keep }, table }) => {
      const { token, record } = await signIn(table, code, keep);
      return json(201, { data: toSession(token, record) });
    },
  });
}

/** `DELETE /v2/session`: signs out. */
function deleteSessionHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.deleteSession,
    service,
    input: () => undefined,
    handle: async ({ caller, table }) => {
      await signOut(table, caller.tokenHash);
      return noContent();
    },
  });
}

/** `PATCH /v2/affiliate`: an advocate who signed in changes its names, its emails and its payout account. */
function updateAffiliateHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.updateAffiliate,
    service,
    input: (_, body, caller) => parseOwnChanges(body, caller, secondOf(service.clock())),
    handle: async ({ caller, input: changes, table }) => {
      const now = secondOf(table.clock());
      const advocate = await replaceAdvocate(table, caller.program.id, caller.advocate.slug, {
        change: (before) => {
          assertInSession(caller, before);
          return changeOwn(before, changes, now);
        },
        also: () => [validTokenCheck(caller.tokenHash)],
        refuse: (failed) => {
          if (failed.has('token')) throw new TokenRevoked();
        },
      });
      const terms = await service.termsOf(table, caller.program, advocate);
      return json(200, toAffiliateData({ ...caller, advocate, terms }));
    },
  });
}

/** `POST /v2/payout-account/undo`: returns to the previous payout account, by the link in the email about the change. */
function undoHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.undoPayoutAccount,
    service,
    input: (_, body) => parseCode(body),
    handle: async ({ input: code, table }) => {
      await undoAccountChange(table, code);
      return noContent();
    },
  });
}

/** `GET /v2/members`: all members. */
function listMembersHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.listMembers,
    service,
    input: assertNoQuery,
    handle: async ({ caller: { program }, table }) =>
      json(200, { data: (await readMembers(table, program.id)).members.map(toMember) }),
  });
}

/** `POST /v2/members`: a member with scopes that the caller has. */
function createMemberHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.createMember,
    service,
    input: (_, body) => parseMember(body),
    handle: async ({ caller, input: draft, table }) => {
      const { member, isNew } = await createMember(table, caller.program.id, draft, editorOf(caller));
      return json(isNew ? 201 : 200, { data: toMember(member) });
    },
  });
}

/** `PATCH /v2/members/{id}`: changes the fields that are given. */
function updateMemberHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.updateMember,
    service,
    input: ({ pathParameters }, body) => {
      return { id: pathParameters?.['id'] ?? '', changes: parseMemberChanges(body) };
    },
    handle: async ({ caller, input: { id, changes }, table }) => {
      const member = await updateMember(table, caller.program.id, id, { changes, editor: editorOf(caller) });
      return json(200, { data: toMember(member) });
    },
  });
}

/** `DELETE /v2/members/{id}`: removes a member, whose sessions and tokens end. */
function removeMemberHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.removeMember,
    service,
    input: ({ pathParameters }) => pathParameters?.['id'] ?? '',
    handle: async ({ caller, input: id, table }) => {
      const { program } = caller;
      const member = await removeMember(table, program.id, id, editorOf(caller));
      const tokens = (await listProgramTokens(table, program.id)).filter(({ memberId }) => memberId === id);
      return json(200, toRemovedMember(member, tokens));
    },
  });
}

/** `GET /v2/program/people`: the settings of emails. */
function getSettingsHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.getPeopleSettings,
    service,
    input: assertNoQuery,
    handle: async ({ caller: { program }, table }) =>
      json(200, { data: toPeopleSettings(program.id, await readPeopleSettings(table, program.id)) }),
  });
}

/** `PATCH /v2/program/people`: changes the settings that are given. */
function updateSettingsHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.updatePeopleSettings,
    service,
    input: (_, body) => parsePeopleChanges(body),
    handle: async ({ caller: { program }, input: changes, table }) =>
      json(200, { data: toPeopleSettings(program.id, await changePeopleSettings(table, program.id, changes)) }),
  });
}

/** `POST /v2/program/people/preview`: an email of the program with example data. */
function previewHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.previewEmail,
    service,
    input: (_, body) => parsePreview(body),
    handle: async ({ caller: { program }, input: kind, table, event }) => {
      const settings = await readPeopleSettings(table, program.id);
      const baseUrl = urlOf(event, '').replace(/\/$/, '');
      const about = { program, settings, unsubscribeUrl: `${baseUrl}/v2/unsubscribe/example` };
      return json(200, { data: toEmailPreview(kind, writeEmail(exampleContent(kind, baseUrl, program), about)) });
    },
  });
}

/** `POST /v2/people/erase`: forgets the codes and the application of an address. */
function eraseHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.erasePerson,
    service,
    input: (_, body) => parsePerson(body),
    handle: async ({ caller: { program }, input: address, table }) => {
      await deleteAddressItems(table, program.id, address);
      return noContent();
    },
  });
}
