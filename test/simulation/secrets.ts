import type { Secret, SecretOwner, SecretStore } from '../../functions/kernel/secrets/secrets.ts';

/** A store of secrets in memory. */
export class MemorySecrets implements SecretStore {
  readonly #secrets = new Map<SecretOwner, readonly Secret[]>();

  async read(owner: SecretOwner): Promise<readonly Secret[]> {
    return this.#secrets.get(owner) ?? [];
  }

  async add(owner: SecretOwner, secret: Secret): Promise<void> {
    const others = (await this.read(owner)).filter(({ value }) => value !== secret.value);
    this.#secrets.set(owner, [secret, ...others]);
  }

  async remove(owner: SecretOwner, secrets: readonly Secret[]): Promise<void> {
    const removed = new Set(secrets.map(({ value }) => value));
    this.#secrets.set(
      owner,
      (await this.read(owner)).filter(({ value }) => !removed.has(value)),
    );
  }
}
