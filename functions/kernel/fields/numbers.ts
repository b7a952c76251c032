import { InvalidField } from '../errors.ts';

/**
 * Checks a rate in percent: 0 to 100. Rounds it to 6 decimals, because DynamoDB rejects numbers that are too close to 0.
 * Throws `InvalidField`.
 */
export function parsePercentage(field: string, value: unknown): number {
  if (!(typeof value === 'number' && value >= 0 && value <= 100)) {
    throw new InvalidField(field, 'must be a number from 0 to 100');
  }
  // The sum turns -0 into 0.
  return Math.round(value * 1e6) / 1e6 + 0;
}

/** Checks a whole number from `min` to `max`. Throws `InvalidField`. */
export function parseWhole(field: string, value: unknown, max: number, min = 1): number {
  if (!(typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)) {
    throw new InvalidField(field, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}
