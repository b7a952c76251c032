import type { Faults } from '../table.ts';

export const MCP: Faults = {
  'functions/mcp/rules/result.ts': [
    ['(?![\\u200c\\u200d])\\p{Cf}', '\\p{Cf}', 'mcp/unit/result'],
    ['\\p{Cc}|', '', 'mcp/unit/result'],
    ['return JSON.stringify(masksEmails ? ', 'return JSON.stringify(masksEmails && !text.includes(\' \') ? ', 'mcp/unit/result'],
  ],
  'functions/mcp/rules/protocol.ts': [
    ["['Mcp-Method', headers['mcp-method'], method],", '', 'mcp/unit/protocol'],
    ["encoded === undefined ? headers['mcp-name'] :", "encoded !== '' ? headers['mcp-name'] :", 'mcp/unit/protocol'],
  ],
  'functions/mcp/http/call-tool.ts': [
    ["rows.length < 2 || !Object.hasOwn(properties, 'per_page')", 'rows.length < 2', 'mcp/api/tools'],
    ['if (statusCode !== 200) return textResult(', 'if (statusCode !== 200) return textResult(body ||', 'mcp/api/tools'],
    ["`${body.slice(0, -1)},\"next_cursor\":\"${cursor}\"}`", 'body', 'mcp/api/tools'],
  ],
  'functions/mcp/http/handlers.ts': [
    ['token === kind && (scope === null', 'kind !== null && (scope === null', 'mcp/api/tools'],
    ['(hasEvents || !needsEvents)', '(hasEvents || !needsEvents || true)', 'mcp/api/tools'],
    ['      checkOrigin(event, caller);\n', '', 'mcp/api/messages'],
    ["masksEmails: caller.program.assistantsSeeEmail === 'masked',", 'masksEmails: false,', 'mcp/api/tools'],
  ],
};
