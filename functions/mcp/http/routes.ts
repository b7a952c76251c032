import type { Route } from '../../kernel/http/route.ts';

const throttle = { rate: 20, burst: 40 } as const;
const MCP = { path: '/mcp', function: 'referrals', access: { token: 'any' }, throttle } as const;

/** The routes of the Model Context Protocol, by which assistants read a program. */
export const MCP_ROUTES = {
  callMcp: { ...MCP, method: 'POST' },
  /** Clients of the revision 2025-11-25 ask with it for a stream, which this service does not have. */
  openMcpStream: { ...MCP, method: 'GET' },
} as const satisfies Record<string, Route>;
