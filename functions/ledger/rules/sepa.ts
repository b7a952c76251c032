import { createHash } from 'node:crypto';
import type { Day } from '../../kernel/days.ts';
import { withoutAccents } from '../../kernel/fields/fields.ts';
import { rfc3339, type Seconds } from '../../kernel/time.ts';
import { inUnits } from './units.ts';

// SEPA credit transfers: the message pain.001.001.09 of ISO 20022, as the implementation guidelines of the European
// Payments Council restrict it (EPC132-08).

/** The owner of an account. */
interface Party {
  readonly name: string;
  readonly iban: string;
}

interface Transfer {
  readonly id: string;
  /** In cents. */
  readonly amount: number;
  readonly creditor: Party;
  readonly remittance: string;
}

/** A message to a bank: payments from one account on one day. */
interface CreditTransfer {
  readonly id: string;
  readonly createdAt: Seconds;
  readonly date: Day;
  readonly debtor: Party;
  readonly transfers: readonly Transfer[];
}

const MAX_ID = 35;
const HASH_LENGTH = 30;
const MAX_NAME = 70;
const MAX_REMITTANCE = 140;
const NOT_PROVIDED = 'NOTPROVIDED';
/** 999,999,999.99 euros. */
const MAX_CENTS = 99_999_999_999;

/** The characters that every bank must accept. None of them needs an escape in XML. */
const FORBIDDEN = /[^A-Za-z0-9/?:().,'+ -]/gu;
// Ids have no space, no slash at the start or the end, and no two slashes in a row.
const ID = /^(?!\/)(?!.*\/\/)[A-Za-z0-9/?:().,'+-]+(?<!\/)$/;

/**
 * Returns an id that banks and PayPal accept: the id itself, or if it is too long or has other characters, the first 30
 * hexadecimal digits of its SHA-256. The same id has always the same result.
 */
export function transferId(id: string, max = MAX_ID): string {
  if (id.length <= max && ID.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, HASH_LENGTH);
}

/** Spells a text with the characters of SEPA, at most `max` of them: `Zoë Groß & Co` is `Zoe Gross + Co`. */
export function sepaText(text: string, max = MAX_NAME): string {
  const spelled = [...text.replaceAll('&', '+')].map((character) => {
    const ascii = withoutAccents(character);
    return character === character.toLowerCase() ? ascii : ascii.toUpperCase();
  });
  return spelled.join('').replace(FORBIDDEN, ' ').replace(/ +/g, ' ').trim().slice(0, max).trim();
}

/** Writes cents in euros; `undefined` for more than a payment may have. */
export function sepaAmount(cents: number): string | undefined {
  return cents <= MAX_CENTS ? inUnits(cents, 'eur') : undefined;
}

/** Writes the message. */
export function writeCreditTransfer({ id, createdAt, date, debtor, transfers }: CreditTransfer): string {
  const sum = transfers.reduce((total, { amount }) => total + BigInt(amount), 0n);
  const totals = element('NbOfTxs', String(transfers.length)) + element('CtrlSum', inUnits(sum, 'eur'));
  const header = element(
    'GrpHdr',
    element('MsgId', id),
    element('CreDtTm', rfc3339(createdAt)),
    totals,
    element('InitgPty', nameElement(debtor)),
  );
  const payments = element(
    'PmtInf',
    element('PmtInfId', id),
    element('PmtMtd', 'TRF'),
    totals,
    element('PmtTpInf', element('SvcLvl', element('Cd', 'SEPA'))),
    element('ReqdExctnDt', element('Dt', date)),
    element('Dbtr', nameElement(debtor)),
    accountElement('DbtrAcct', debtor),
    // The IBAN says which bank it is.
    element('DbtrAgt', element('FinInstnId', element('Othr', element('Id', NOT_PROVIDED)))),
    element('ChrgBr', 'SLEV'),
    ...transfers.map(transferElement),
  );
  const message = element('CstmrCdtTrfInitn', header, payments);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}">${message}</Document>\n`;
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/** A line of its own for each payment, so that people can read and compare files. */
function transferElement({ id, amount, creditor, remittance }: Transfer): string {
  const transfer = element(
    'CdtTrfTxInf',
    element('PmtId', element('EndToEndId', id)),
    element('Amt', `<InstdAmt Ccy="EUR">${inUnits(amount, 'eur')}</InstdAmt>`),
    element('Cdtr', nameElement(creditor)),
    accountElement('CdtrAcct', creditor),
    element('RmtInf', element('Ustrd', sepaText(remittance, MAX_REMITTANCE) || NOT_PROVIDED)),
  );
  return `\n${transfer}`;
}

const nameElement = ({ name }: Party): string => element('Nm', sepaText(name) || NOT_PROVIDED);
const accountElement = (tag: string, { iban }: Party): string => element(tag, element('Id', element('IBAN', iban)));
const element = (tag: string, ...content: readonly string[]): string => `<${tag}>${content.join('')}</${tag}>`;
