import { toAdvocate } from '../../../advocates/http/mapping.ts';
import { referralLinks } from '../../../kernel/accounts/rules/advocate.ts';
import { assertGroup } from '../../../kernel/accounts/table/groups.ts';
import { findProgram } from '../../../kernel/accounts/table/programs.ts';
import type { Table } from '../../../kernel/dynamodb/table.ts';
import { AdvocateNotFound, UnknownPublicKey } from '../../../kernel/errors.ts';
import type { HttpHandler } from '../../../kernel/http/context.ts';
import { listResponse, startOf } from '../../../kernel/http/list.ts';
import { json, noContent } from '../../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../../kernel/http/route-handler.ts';
import { assertNoQuery, slugInPath } from '../../../kernel/http/validation.ts';
import type { RecordMetrics } from '../../../kernel/log/metrics.ts';
import { secondOf } from '../../../kernel/time.ts';
import { isAutomatic } from '../../rules/applications/application.ts';
import { ApplicationNotFound, ApplicationsClosed, InvalidLink, TooManyApplications } from '../../rules/errors.ts';
import { confirmApplication, lookUpApplication } from '../../table/applications/confirm.ts';
import {
  approveApplication,
  approveAutomatically,
  listApplications,
  rejectApplication,
} from '../../table/applications/decide.ts';
import { sendApplication } from '../../table/applications/send.ts';
import { inviteAdvocate } from '../../table/invitations.ts';
import { readPeopleSettings } from '../../table/people-settings.ts';
import { parseCode } from '../mapping.ts';
import { PEOPLE_ROUTES } from '../routes.ts';
import {
  parseApplicationBody,
  parseApplicationsQuery,
  parseApproval,
  parseRejection,
  toApplication,
  toApplicationForm,
  toSentApplication,
} from './mapping.ts';

/** The operations of applications and invitations. */
export const applicationHandlers = (service: Service<Table>, recordMetrics: RecordMetrics) => ({
  getApplicationForm: formHandler(service),
  sendApplication: sendHandler(service, recordMetrics),
  lookUpApplication: lookUpHandler(service),
  confirmApplication: confirmHandler(service),
  listApplications: listHandler(service),
  approveApplication: approveHandler(service),
  rejectApplication: rejectHandler(service),
  inviteAdvocate: inviteHandler(service),
});

/** `GET /v2/apply/{pk}`: what the form of a program needs. */
function formHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.getApplicationForm,
    service,
    input: (event) => {
      assertNoQuery(event);
      return event.pathParameters?.['pk'] ?? '';
    },
    handle: async ({ input: publicKey, table }) => {
      const program = await service.callers.byPublicKey(table, publicKey);
      if (!program) throw new UnknownPublicKey();
      const settings = await readPeopleSettings(table, program.id);
      if (settings.applications === 'closed') throw new ApplicationsClosed();
      return json(200, { data: toApplicationForm(program, settings) });
    },
  });
}

/** `POST /v2/applications`: applies. It looks nobody up: the response to every address is the same. */
function sendHandler(service: Service<Table>, recordMetrics: RecordMetrics): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.sendApplication,
    service,
    input: (_, body) => parseApplicationBody(body),
    handle: async ({ input: { publicKey, draft, isRobot }, table }) => {
      const program = await service.callers.byPublicKey(table, publicKey);
      if (!program) throw new UnknownPublicKey();
      if (isRobot) return noContent();
      const isAllowed = await sendApplication(table, program.id, draft).catch((error: unknown) => {
        if (error instanceof TooManyApplications) recordMetrics(program.id, { RefusedApplications: 1 });
        throw error;
      });
      if (!isAllowed) recordMetrics(program.id, { LimitedConfirmations: 1 });
      return noContent();
    },
  });
}

/** `POST /v2/applications/lookup`: shows the application of a link, as it was sent. */
function lookUpHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.lookUpApplication,
    service,
    input: (_, body) => parseCode(body),
    handle: async ({ input: code, table }) => {
      const application = await lookUpApplication(table, code);
      return json(200, { data: toSentApplication(application, await requireProgram(table, code.program)) });
    },
  });
}

/** `POST /v2/applications/confirm`: confirms the application of a link, which may approve it. */
function confirmHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.confirmApplication,
    service,
    input: (_, body) => parseCode(body),
    handle: async ({ input: code, table }) => {
      const confirmed = await confirmApplication(table, code);
      const program = await requireProgram(table, code.program);
      const application = isAutomatic(confirmed, secondOf(table.clock()))
        ? await approveAutomatically(table, program, confirmed.id).catch(asInvalidLink)
        : confirmed;
      return json(200, { data: toSentApplication(application, program) });
    },
  });
}

/** The application was erased meanwhile. */
function asInvalidLink(error: unknown): never {
  throw error instanceof ApplicationNotFound ? new InvalidLink() : error;
}

async function requireProgram(table: Table, id: string) {
  const program = await findProgram(table, id);
  if (!program) throw new InvalidLink();
  return program;
}

/** `GET /v2/applications`: the applications in a state, newest first. */
function listHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.listApplications,
    service,
    input: parseApplicationsQuery,
    handle: async ({ caller: { program }, input: { state, paging }, table, event }) => {
      const list = ['applications', program.id, state];
      const { page, start } = startOf(paging, list);
      const found = await listApplications(table, program.id, state, { start, size: paging.perPage });
      return listResponse(event, paging, list, { page, next: found.next, data: found.applications.map(toApplication) });
    },
  });
}

/** `POST /v2/applications/{id}/approve`: creates the advocate. */
function approveHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.approveApplication,
    service,
    input: ({ pathParameters }, body, caller) => ({
      id: pathParameters?.['application'] ?? '',
      fields: parseApproval(body, caller),
    }),
    handle: async ({ caller: { program, token }, input: { id, fields }, table }) => {
      await assertGroup(table, program.id, fields.group);
      const { advocate, isNew } = await approveApplication(table, program, id, fields);
      const data = toAdvocate(program, referralLinks(program), advocate, token);
      return json(isNew ? 201 : 200, { data });
    },
  });
}

/** `POST /v2/applications/{id}/reject`. */
function rejectHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.rejectApplication,
    service,
    input: ({ pathParameters }, body) => ({
      id: pathParameters?.['application'] ?? '',
      rejection: parseRejection(body),
    }),
    handle: async ({ caller: { program }, input: { id, rejection }, table }) =>
      json(200, { data: toApplication(await rejectApplication(table, program.id, id, rejection)) }),
  });
}

/** `POST /v2/advocates/{slug}/invite`: sends an advocate its link and how to sign in. */
function inviteHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: PEOPLE_ROUTES.inviteAdvocate,
    service,
    input: slugInPath,
    handle: async ({ caller: { program }, input: slug, table }) => {
      if (slug === undefined) throw new AdvocateNotFound();
      await inviteAdvocate(table, program.id, slug);
      return noContent();
    },
  });
}
