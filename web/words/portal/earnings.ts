/** The words of the view "Earnings", for translators. */

export const payouts = 'Payouts';
export const date = 'Date';
export const amount = 'Amount';
export const reference = 'Reference';
export const noPayouts = 'No payouts yet.';
export const statements = 'Statements';
export const advice = 'Months in UTC. Choose one for its entries.';
export const none = 'No payments yet. When a customer whom you referred pays, your commission appears here.';
export const month = 'Month';
export const commissions = 'Earned';
export const adjustments = 'Bonuses';
export const settlements = 'Paid out';
export const closing = 'Balance';
export const entries = 'Entries';
export const entriesOf = (name: string) => `Entries of ${name}`;
export const noEntries = 'No entries.';
export const kind = 'What';
export const kinds = {
  payment: 'Payment',
  refund: 'Refund',
  void: 'Commission withdrawn',
  adjustment: 'Bonus or correction',
  settlement: 'Payout',
};
export const payment = 'Payment';
export const earned = 'Earned';
export const reasons = {
  rejected: 'Referral rejected',
  ended: 'Commission period over',
  no_rate: 'No commission was set',
  no_rule: 'No rule matches',
};
