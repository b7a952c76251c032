import type { CallingToken } from '../../kernel/accounts/rules/caller.ts';
import { changeProgram, type Program } from '../../kernel/accounts/rules/program.ts';
import { newToken, SCOPES } from '../../kernel/accounts/rules/token.ts';
import { seconds } from '../../kernel/time.ts';
import { asReceived, example, type Operations } from '../../openapi/operation.ts';
import { PROGRAM } from '../../openapi/records.ts';
import {
  parseNewToken,
  parseProgramChanges,
  toNewProgramToken,
  toProgramData,
  toProgramToken,
} from '../http/mapping.ts';
import type { PROGRAM_ROUTES } from '../http/routes.ts';
import {
  NEW_PROGRAM_TOKEN_DATA,
  NEW_TOKEN_BODY,
  PROGRAM_CHANGES_BODY,
  PROGRAM_DATA,
  PROGRAM_TOKEN_LIST,
} from '../http/schema.ts';

/** Ids of no record in the demo. */
const [OWN_ID, NEW_ID] = ['0192e505-9000-7fda-9f42-d8a7c0e21b36', '019b7c01-1f00-7a4d-8b3f-2c6d9e105a74'];
const NOW = seconds(Date.UTC(2026, 10, 2, 12) / 1000);

const OWN: CallingToken = newToken({ scopes: SCOPES }, OWN_ID, PROGRAM.createdAt);
const CHANGES = { commission_percentage: 25, affiliates_see_email: 'masked' };
const CHANGED = changeProgram(PROGRAM, parseProgramChanges(CHANGES));
const PAYOUTS = { minimum_payout: { eur: 5000 }, payout_day: 5, accent: '#6b3a1e' };
const shown = (program: Program) => asReceived(toProgramData({ program, token: OWN, member: null, rules: null }));
const TOKEN_BODY = { scopes: ['read', 'track'], name: 'Shop server' };
const NEW_TOKEN = newToken(parseNewToken(TOKEN_BODY), NEW_ID, NOW);

/** Documents the operations on the program and its tokens. */
export const PROGRAM_OPERATIONS: Operations<typeof PROGRAM_ROUTES> = {
  getProgram: {
    summary: 'Get the program',
    description:
      'Returns the program of the token, and in `meta.token` the calling token with its scopes and its member.',
    successes: {
      200: {
        description: 'The program.',
        schema: PROGRAM_DATA,
        examples: {
          program: example('A program', shown(PROGRAM)),
        },
      },
    },
  },
  updateProgram: {
    summary: 'Change the program',
    description:
      'Changes the fields that are given: absent fields stay, and `{}` changes nothing. `null` clears `commission_percentage`, `commission_months`, `commission_rules`, `payout_name`, `payout_iban`, `payout_day` and `accent`. A percentage clears the rules; rules clear the percentage and the months. `payout_name` and `payout_iban` need the scope `payouts`, all other fields `admin`. The change takes effect within 30 seconds. The request can safely be repeated, and a repetition completes a request that was interrupted.',
    body: {
      schema: PROGRAM_CHANGES_BODY,
      parse: parseProgramChanges,
      examples: {
        rate: example('Another rate, and masked emails for affiliates', CHANGES),
        payouts: example('When you pay, and a color', PAYOUTS),
      },
    },
    successes: {
      200: {
        description: 'The program after the change.',
        schema: PROGRAM_DATA,
        examples: {
          rate: example('Another rate, and masked emails for affiliates', shown(CHANGED)),
          payouts: example('When you pay, and a color', shown(changeProgram(CHANGED, parseProgramChanges(PAYOUTS)))),
        },
      },
    },
  },
  listTokens: {
    summary: 'List program tokens',
    description:
      'Lists the program tokens that are neither revoked nor expired, newest first, on one page. The tokens themselves and the tokens of advocates are never listed.',
    successes: {
      200: {
        description: 'The program tokens.',
        schema: PROGRAM_TOKEN_LIST,
        examples: {
          one: example('One token', {
            data: [toProgramToken(newToken({ scopes: SCOPES }, OWN_ID, PROGRAM.createdAt))],
          }),
        },
      },
    },
  },
  createProgramToken: {
    summary: 'Create a program token',
    description:
      'Creates a token for a server of the merchant. It can have only scopes that the calling token has, but may last longer. A program has at most 1,000 tokens. A repeated request creates another token.',
    body: {
      schema: NEW_TOKEN_BODY,
      parse: parseNewToken,
      examples: { shop: example('For the server of a shop', TOKEN_BODY) },
    },
    successes: {
      201: {
        description: 'The token. It is shown only once.',
        schema: NEW_PROGRAM_TOKEN_DATA,
        examples: {
          shop: example('For the server of a shop', { data: toNewProgramToken(NEW_TOKEN, `rtp_${'0'.repeat(36)}`) }),
        },
      },
    },
    errors: ['too_many_tokens'],
  },
  revokeToken: {
    summary: 'Revoke a program token',
    description:
      'Revokes a program token, which is rejected everywhere within 30 seconds. A token can revoke itself. The request can safely be repeated.',
    successes: { 204: { description: 'The token is revoked, by this request or by an earlier one.' } },
    errors: ['token_not_found'],
  },
};
