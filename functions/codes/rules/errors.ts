import { ServiceError } from '../../kernel/errors.ts';

/** The most codes of a program. */
export const MAX_CODES = 10_000;

/** Another advocate owns the code, for ever. Nothing was written. */
export class CodeTaken extends ServiceError {
  constructor() {
    super('code_taken', 'The code belongs to another advocate. Choose another code.');
  }
}

/** Another code has Stripe's promotion code. Nothing was written. */
export class PromotionCodeTaken extends ServiceError {
  constructor() {
    super(
      'promotion_code_taken',
      'promotion_code_id belongs to another code. Create another promotion code at Stripe.',
    );
  }
}

/** The program has as many codes as it may have. Nothing was written. */
export class TooManyCodes extends ServiceError {
  constructor() {
    super('too_many_codes', 'The program has 10,000 codes. Use one of them.');
  }
}
