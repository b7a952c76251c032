import {
  addressConfirmationsKey,
  advocateEmails,
  advocateKey,
  advocateUidKey,
  applicationKey,
  codesPartition,
  ledgerPartition,
  ledgerSumsKey,
  paymentPartition,
  previousEmailKey,
  programKey,
  sentEmailPartition,
  signInPartition,
  tokenKey,
  webhookKey,
} from '../../functions/kernel/dynamodb/keys.ts';
import { PARTITION_KEY } from '../../functions/kernel/dynamodb/schema.ts';
import { ANY_ID } from './referral-table.ts';

// Patterns of IAM for the partitions of the table. A slug and a uid are the last part of their key.

const ANY_HASH = '?'.repeat(64);

export const ANY_TOKEN = tokenKey(ANY_HASH)[PARTITION_KEY];
/** A program's own items, such as its members, its settings of emails and its budgets. */
export const ANY_PROGRAM = programKey(ANY_ID)[PARTITION_KEY];
export const ANY_WEBHOOK = webhookKey(ANY_ID, ANY_ID)[PARTITION_KEY];
export const ANY_CODES = codesPartition(ANY_ID);
export const ANY_LEDGER = ledgerPartition(ANY_ID, '*');
export const ANY_LEDGER_SUMS = ledgerSumsKey(ANY_ID, '*')[PARTITION_KEY];
export const ANY_PAYMENT = paymentPartition(ANY_ID, ANY_HASH);
export const ANY_ADVOCATE = advocateKey(ANY_ID, '*')[PARTITION_KEY];
export const ANY_ADVOCATE_UID = advocateUidKey(ANY_ID, '*')[PARTITION_KEY];
/** The advocates with an address. */
export const ANY_ADVOCATE_EMAIL = advocateEmails(ANY_ID, ANY_HASH);
export const ANY_PREVIOUS_EMAIL = previousEmailKey(ANY_ID, '*')[PARTITION_KEY];
/** The links and codes of an address, and what it sent to become an advocate. */
export const ANY_SIGN_IN = signInPartition(ANY_ID, ANY_HASH);
export const ANY_APPLICATION = applicationKey(ANY_ID, ANY_ID)[PARTITION_KEY];
/** How many emails an address got to confirm it. */
export const ANY_CONFIRMATIONS = addressConfirmationsKey(ANY_HASH)[PARTITION_KEY];
/** The mark of an email. */
export const ANY_SENT_EMAIL = sentEmailPartition(ANY_ID, ANY_HASH);
