/**
 * Logs a failure: a code, ids, and names of the error. Messages of errors are left out, because they may contain
 * personal data, URLs or secrets (docs/contract.md, Privacy).
 */
export function logFailure(code: string, ids: Readonly<Record<string, string>>, error?: unknown): void {
  const cause = typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : undefined;
  const reason = typeof error === 'object' && error !== null && 'reason' in error ? error.reason : undefined;
  console.error({
    error: code,
    ...ids,
    ...(cause !== undefined && { cause }),
    ...(reason !== undefined && { reason: String(reason) }),
  });
}
