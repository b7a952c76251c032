/** What a referral has brought one advocate in one currency, in its smallest unit. */
export interface ReferralMoney {
  readonly currency: string;
  /** Payments less refunds. */
  readonly revenue: bigint;
  /** Commissions of payments, less what refunds and voids took back. */
  readonly commission: bigint;
}

/** What a referral has brought (docs/contract/referrals.md, Money). */
export interface Brought {
  /** The number of its payments, including payments under earlier advocates. */
  readonly payments: number;
  /** Of one advocate, by code. */
  readonly money: readonly ReferralMoney[];
}
