/** Returns a random id for a write, such as its `Idempotency-Key`. Unlike `randomUUID`, it also works over plain http. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
