import { createHash } from 'node:crypto';
import type { CommissionRules } from './commission-rules.ts';

/** The id of rules: equal rules have the same id. 16 hex characters of the SHA-256 of their JSON. */
export function commissionRulesId(rules: CommissionRules): string {
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex').slice(0, 16);
}

const RULES_ID = /^[0-9a-f]{16}$/;

/** True for a text that may be the id of rules. */
export const isCommissionRulesId = (text: string): boolean => RULES_ID.test(text);
