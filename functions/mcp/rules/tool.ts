import type { Scope } from '../../kernel/accounts/rules/token.ts';

/** An operation that an assistant may call. */
export interface Tool {
  /** The name of the operation. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, unknown>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The token that the operation requires, and the scope of a program token. */
  readonly token: string;
  readonly scope: Scope | null;
  /** True if only deployments with `events=on` have the operation. */
  readonly needsEvents: boolean;
}
