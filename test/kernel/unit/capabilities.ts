/** The capabilities, and which others each may import (docs/design.md, Folders). The line of a capability goes with it. */
export const CAPABILITIES: Readonly<Record<string, readonly string[]>> = {
  advocates: [],
  codes: [],
  explain: ['ledger', 'referrals'],
  ledger: ['referrals'],
  mcp: [],
  pages: [],
  people: ['advocates', 'ledger', 'program', 'referrals'],
  program: [],
  referrals: [],
  statistics: ['ledger', 'referrals'],
  stripe: ['codes', 'ledger', 'program', 'referrals', 'tracking'],
  terms: [],
  tracking: ['referrals'],
  webhooks: ['ledger', 'people', 'program', 'referrals'],
};
/** The rooms of a capability, and of the kernel's accounts: each imports only rooms before it, and itself. */
export const ROOMS = ['rules', 'table', 'stream', 'http', 'docs', 'operator'];
/** What of the kernel the rooms may not import. */
export const UNKNOWN_TO: Readonly<Record<string, RegExp>> = {
  rules: /^functions\/kernel\/(?:accounts\/table|aws|dynamodb|http|log|operator|secrets)\//,
  table: /^functions\/kernel\/(?:aws|http|log|operator|secrets)\//,
  stream: /^functions\/kernel\/(?:dynamodb\/(?!item|schema)|operator\/)/,
  http: /^functions\/kernel\/(?:dynamodb|operator)\//,
};
/** What of Node is as pure as the rules. */
export const PURE = ['node:crypto', 'node:util', 'node:zlib'];
