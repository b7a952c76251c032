import type { Program } from '../../kernel/accounts/rules/program.ts';
import type { Day } from '../../kernel/days.ts';
import { InvalidField } from '../../kernel/errors.ts';
import { quotedCell } from '../../kernel/fields/formula.ts';
import type { Seconds } from '../../kernel/time.ts';
import {
  accountProblem,
  type NoPayment,
  type Payout,
  type PayoutFormat,
  type RunReference,
  runIdOf,
} from './payout-run.ts';
import { sepaAmount, sepaText, transferId, writeCreditTransfer } from './sepa.ts';
import { inUnits } from './units.ts';

/** What a file says besides its payouts. */
export interface FileRequest {
  readonly format: PayoutFormat;
  readonly run: RunReference;
  readonly program: Pick<Program, 'id' | 'name' | 'payoutName' | 'payoutIban'>;
  /** When the file is written. */
  readonly now: Seconds;
  /** When a bank carries out the payments. */
  readonly date: Day;
}

/** A settlement that no file for payments contains, and why. */
export interface LeftOut {
  readonly payout: Payout;
  readonly reason: NoPayment;
}

/** A file, and the settlements of its run that nobody pays with it. */
export interface PayoutFile {
  readonly text: string;
  readonly leftOut: readonly LeftOut[];
}

/** PayPal accepts more. */
const MAX_NOTE = 140;
/** Longest unique id of a line of PayPal's file, which has no spaces. */
const MAX_PAYPAL_ID = 30;
/** PayPal accepts no decimals in these currencies (https://developer.paypal.com/api/rest/reference/currency-codes/). */
const WHOLE_AT_PAYPAL: readonly string[] = ['huf', 'jpy', 'twd'];
/** The other currencies of PayPal (same page). */
const AT_PAYPAL: readonly string[] = [
  ...['aud', 'brl', 'cad', 'chf', 'cny', 'czk', 'dkk', 'eur', 'gbp', 'hkd', 'ils', 'mxn'],
  ...['myr', 'nok', 'nzd', 'php', 'pln', 'sek', 'sgd', 'thb', 'usd'],
];

/** The columns of CSV. `reason` says why a settlement is in no file for payments. */
export const PAYOUT_COLUMNS = [
  ...['slug', 'email', 'first_name', 'last_name', 'amount', 'currency', 'id'],
  ...['payout_method', 'payout_account', 'reason'],
] as const;

/** Throws `InvalidField` if a file of the format cannot pay in the currency, or the program has no account for it. */
export function checkFormat({ format, run, program }: Pick<FileRequest, 'format' | 'run' | 'program'>): void {
  if (format === 'csv') return;
  if (format === 'paypal') {
    if (AT_PAYPAL.includes(run.currency) || WHOLE_AT_PAYPAL.includes(run.currency)) return;
    throw new InvalidField('currency', 'must be a currency of PayPal: choose another format');
  }
  if (run.currency !== 'eur') throw new InvalidField('currency', 'must be eur for sepa: choose another format');
  if (sepaText(program.payoutName ?? '') === '' || program.payoutIban === null) {
    throw new InvalidField('format', 'sepa requires payout_name (in Latin letters) and payout_iban of the program');
  }
}

/** The id of a run at PayPal (`sender_batch_id`) and at a bank (`MsgId`), by which they recognize a repetition. */
export const batchIdOf = ({ run, program }: Pick<FileRequest, 'run' | 'program'>): string =>
  transferId(`${runIdOf(run)}:${program.id.slice(-8)}`);

/** The reasons for which nobody must pay to the account of now, so that no file contains it. */
const WITHHELD: readonly unknown[] = ['payout_pending', 'account_changed'];

/** The values of a payout in CSV and NDJSON, by column, without the amount. */
export function payoutFields(payout: Payout, currency: string, now: Seconds) {
  const { slug, email, firstName: first_name, lastName: last_name, payoutMethod, payoutAccount } = payout.advocate;
  const reason = accountProblem(payout, now) ?? null;
  const [payout_method, payout_account] = WITHHELD.includes(reason) ? [null, null] : [payoutMethod, payoutAccount];
  return { slug, email, first_name, last_name, currency, id: payout.id, payout_method, payout_account, reason };
}

/** Writes the file of a run. Throws `InvalidField` as `checkFormat` does, or if a file for payments would be empty. */
export function writePayoutFile(request: FileRequest, payouts: readonly Payout[]): PayoutFile {
  checkFormat(request);
  const { format, run, now } = request;
  const leftOut = leftOutOf(request, payouts);
  if (format === 'csv') return { text: csvOf(payouts, run.currency, now), leftOut };
  const notPaid = new Set(leftOut.map(({ payout }) => payout));
  const paid = payouts.filter((payout) => !notPaid.has(payout));
  if (paid.length === 0) throw new InvalidField('format', `${format} contains none of the settlements: csv says why`);
  return { text: format === 'paypal' ? paypalOf(request, paid) : sepaOf(request, paid), leftOut };
}

/** Returns the settlements that a file does not pay. */
export function leftOutOf(request: FileRequest, payouts: readonly Payout[]): LeftOut[] {
  return payouts.flatMap((payout) => {
    const reason = problemOf(request, payout);
    return reason === undefined ? [] : [{ payout, reason }];
  });
}

function problemOf({ format, run: { currency }, now }: FileRequest, payout: Payout): NoPayment | undefined {
  const problem = accountProblem(payout, now);
  if (problem !== undefined || format === 'csv') return problem;
  if (payout.advocate.payoutMethod !== (format === 'sepa' ? 'bank' : 'paypal')) return 'other_method';
  const amount = format === 'sepa' ? sepaAmount(payout.amount) : paypalAmount(payout.amount, currency);
  return amount === undefined ? 'unsupported_amount' : undefined;
}

function csvOf(payouts: readonly Payout[], currency: string, now: Seconds): string {
  const rows = payouts.map((payout) => {
    const fields = { ...payoutFields(payout, currency, now), amount: inUnits(payout.amount, currency) };
    return PAYOUT_COLUMNS.map((column) => quotedCell(fields[column] ?? ''));
  });
  return [PAYOUT_COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/**
 * Writes PayPal's file for its page Payouts, which has no head
 * (https://developer.paypal.com/payouts/use-payouts/send-money/use-web-ui): recipient, amount, currency, id, note, wallet.
 */
function paypalOf({ run, program }: FileRequest, payouts: readonly Payout[]): string {
  const note = sepaText(noteOf(run, program), MAX_NOTE);
  const rows = payouts.map(({ advocate, amount, id }) => [
    advocate.payoutAccount ?? '',
    paypalAmount(amount, run.currency) ?? '',
    run.currency.toUpperCase(),
    transferId(id, MAX_PAYPAL_ID),
    note,
    'PAYPAL',
  ]);
  return rows.map((row) => `${row.map(quotedCell).join(',')}\r\n`).join('');
}

function paypalAmount(amount: number, currency: string): string | undefined {
  const units = inUnits(amount, currency);
  if (!WHOLE_AT_PAYPAL.includes(currency)) return units;
  const [whole, decimals = ''] = units.split('.');
  return /^0*$/.test(decimals) ? whole : undefined;
}

function sepaOf(request: FileRequest, payouts: readonly Payout[]): string {
  const { run, program, now, date } = request;
  return writeCreditTransfer({
    id: batchIdOf(request),
    createdAt: now,
    date,
    debtor: { name: program.payoutName ?? '', iban: program.payoutIban ?? '' },
    transfers: payouts.map(({ advocate, amount, id }) => ({
      id: transferId(id),
      amount,
      creditor: { name: nameOf(advocate), iban: advocate.payoutAccount ?? '' },
      remittance: noteOf(run, program),
    })),
  });
}

/** What the recipient reads. */
const noteOf = ({ name }: RunReference, program: FileRequest['program']): string => `${program.name} ${name}`;

/** A bank requires a name: of the person, else of the company, else the slug. */
function nameOf({ firstName, lastName, company, slug }: Payout['advocate']): string {
  const person = [firstName, lastName].filter((name) => name !== null).join(' ');
  return [person, company ?? ''].find((name) => sepaText(name) !== '') ?? slug;
}
