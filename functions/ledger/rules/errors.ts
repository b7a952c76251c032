import { InvalidField, ServiceError } from '../../kernel/errors.ts';

/** The program has no payment with this id. */
export class PaymentNotFound extends ServiceError {
  constructor() {
    super('payment_not_found', 'Payment not found');
  }
}

/** The program has no settlement of this run in this currency. */
export class PayoutRunNotFound extends ServiceError {
  constructor() {
    super('payout_run_not_found', 'Payout run not found: check its name and the currency');
  }
}

/** What has an id in the ledger, and the code of a request that repeats the id with other fields. */
const NAMED = {
  payment: 'payment_exists',
  refund: 'refund_exists',
  adjustment: 'adjustment_exists',
  settlement: 'settlement_exists',
} as const;
export type NamedKind = keyof typeof NAMED;

/** Another request has recorded the id with other fields. Nothing was written. */
export class EntryExists extends ServiceError {
  constructor(kind: NamedKind) {
    super(NAMED[kind], `${kind}_id was already recorded with other fields. Choose another id.`);
  }
}

/** Another settlement was recorded since the caller read the balance. Nothing was written. */
export class BalanceChanged extends ServiceError {
  constructor() {
    super(
      'balance_changed',
      'Another settlement of this advocate and currency was recorded since. Read the statement again.',
    );
  }
}

/** The payment was voided with another note. Nothing was written. */
export class VoidExists extends ServiceError {
  constructor() {
    super('void_exists', 'The payment was already voided with another note');
  }
}

/** Stripe reports the refunds of the payment. Nothing was written. */
export class PaymentAtStripe extends ServiceError {
  constructor() {
    super('payment_at_stripe', 'Stripe reports the refunds of this payment: refund it at Stripe');
  }
}

/** A refund is larger than what is left of its payment. Nothing was written. */
export class RefundTooLarge extends InvalidField {
  constructor() {
    super('amount', 'must be at most what is left of the payment');
  }
}
