/** The words of the view "Earnings", for translators. */

export const payouts = 'Payouts';
export const reference = 'Reference';
export const noPayouts = 'No payouts yet.';
export const advice = 'Months in UTC. Choose one for its entries.';
export const none = 'No payments yet. When a customer whom you referred pays, your commission appears here.';
export const opening = 'Opening balance';
export const adjustments = 'Bonuses';
export const settlements = 'Paid';
export const closing = 'Balance';
export const entries = 'Entries';
export const entriesOf = (name: string) => `Entries of ${name}`;
export const noEntries = 'No entries.';
export const payoutOf = (date: string) => `Payout of ${date}`;
export const customersBehind = (amount: string) => `Customers behind ${amount}`;
export const customers = 'Customers';
export const carriedOver = (amount: string) => `Carried over: ${amount}`;
export const notFound = '– (moved to another advocate, or too long ago)';
export const kind = 'What';
export const payment = 'Payment';
export const earned = 'Earned';
