/** The address of a program's logo; `undefined` without one. */
export const logoOf = (publicKey: string | undefined, version: string | null): string | undefined =>
  version === null ? undefined : `v2/logo/${publicKey}?v=${version}`;
