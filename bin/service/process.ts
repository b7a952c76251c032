/** Returns true for an error of the operating system with this code, for example `EEXIST`. */
export function isSystemError(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
