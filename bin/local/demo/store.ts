import { advocateWrites } from '../../../functions/advocates/table/advocates.ts';
import { newCodeWrites } from '../../../functions/codes/table/put-code.ts';
import { storeRules } from '../../../functions/kernel/accounts/table/commission-rules.ts';
import { toGroupsItem } from '../../../functions/kernel/accounts/table/groups.ts';
import { toMembersItem } from '../../../functions/kernel/accounts/table/members.ts';
import { createProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { NOT_EXISTS } from '../../../functions/kernel/dynamodb/conditions.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { paymentChangeKey } from '../../../functions/kernel/dynamodb/keys.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { putWrite, transact } from '../../../functions/kernel/dynamodb/writes.ts';
import { bulkStoreOf, type Group } from '../../../functions/kernel/operator/bulk-writes.ts';
import type { Seconds } from '../../../functions/kernel/time.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { entryWrites } from '../../../functions/ledger/table/entries.ts';
import { claimWrite } from '../../../functions/ledger/table/entry-claims.ts';
import { toPaymentItem } from '../../../functions/ledger/table/payment-item.ts';
import { settlementCountWrite } from '../../../functions/ledger/table/settlements.ts';
import { FORM, PROGRAM, RULES } from '../../../functions/openapi/records.ts';
import { applicantWrite, applicationWrite } from '../../../functions/people/table/applications/items.ts';
import { changePeopleSettings } from '../../../functions/people/table/people-settings.ts';
import { referralWrites } from '../../../functions/referrals/table/referrals.ts';
import { demoCast, GROUPS, MEMBERS, type Player } from './cast.ts';
import { Chance } from './chance.ts';
import { demoPayments, demoPayouts, type PayingCustomer, type StoredPayment } from './ledger.ts';
import { demoTraffic } from './referrals.ts';
import { demoStatistics } from './statistics.ts';
import { demoApplication } from './stories.ts';

const { id: PROGRAM_ID } = PROGRAM;

/**
 * Stores the demo as of `now`, its statistics only if nobody else counts its rows. Does not change items that an interrupted
 * start has already stored.
 */
export async function storeDemo(table: Table, now: Seconds, { countsRows }: { readonly countsRows: boolean }) {
  await createProgram(table, PROGRAM);
  await storeRules(table, PROGRAM_ID, RULES);
  const traffic = demoTraffic(now);
  const customers = demoPayments(traffic.customers);
  const earned = customers.flatMap(({ stored }) => stored.flatMap(({ entries }) => entries));
  const settled = demoPayouts(earned, now);
  const players = demoCast(now);
  const store = bulkStoreOf(table);
  await store.write<string>([
    [newItem('groups', toGroupsItem(PROGRAM_ID, { groups: GROUPS, version: 1 }))],
    [newItem('members', toMembersItem(PROGRAM_ID, { members: MEMBERS, version: 1 }))],
    ...players.map(({ advocate }) => advocateWrites(PROGRAM_ID, advocate)),
    ...traffic.clicks.map((click) => referralWrites(PROGRAM_ID, click, NOT_EXISTS)),
    ...customers.map(customerWrites),
    ...settled.map(settlementWrites),
  ]);
  for (const player of players) await storeCode(table, player);
  await storeApplication(table, now);
  if (countsRows)
    await store.write(demoStatistics(traffic, [...earned, ...settled]).map((item) => [newItem('sums', item)]));
}

const newItem = <Name extends string>(name: Name, item: Item) => putWrite(name, item, NOT_EXISTS);

/** The writes of a customer, of its payments and of what they brought. */
function customerWrites({ referral, stored }: PayingCustomer): Group<string> {
  return [...referralWrites(PROGRAM_ID, referral, NOT_EXISTS), ...stored.flatMap(paymentWrites)];
}

function paymentWrites({ payment, entries: [entry, ...changes] }: StoredPayment): Group<string> {
  return [
    ...entryWrites(PROGRAM_ID, entry),
    newItem('payment', toPaymentItem(PROGRAM_ID, payment)),
    ...changes.flatMap((change) => [
      ...entryWrites(PROGRAM_ID, change),
      newItem('change', { ...paymentChangeKey(PROGRAM_ID, payment.paymentId, change) }),
      claimWrite(PROGRAM_ID, 'refund', change.refundId ?? '', change),
    ]),
  ];
}

function settlementWrites(entry: Entry): Group<string> {
  return [
    ...entryWrites(PROGRAM_ID, entry),
    claimWrite(PROGRAM_ID, 'settlement', entry.settlementId ?? '', entry),
    settlementCountWrite(PROGRAM_ID, entry.advocateSlug, entry.currency),
  ];
}

/** Returns false if there is nothing to store, or an interrupted start has stored it. */
async function storeCode(table: Table, { code, advocate: { slug, createdAt } }: Player): Promise<boolean> {
  if (code === null) return false;
  const promotion = { code, advocateSlug: slug, active: true, promotionCodeId: null, createdAt, version: 1 };
  const writes = newCodeWrites(PROGRAM_ID, promotion, new Chance(`code ${code}`).idAt(createdAt));
  return (await transact(table, writes)).size === 0;
}

/** Opens applications, and stores the application that waits. Returns false if an interrupted start has stored it. */
async function storeApplication(table: Table, now: Seconds): Promise<boolean> {
  await changePeopleSettings(table, PROGRAM_ID, FORM);
  const application = demoApplication(now);
  const first = applicationWrite(PROGRAM_ID, application, { value: undefined, version: 0 });
  return (await transact<string>(table, [first, applicantWrite(PROGRAM_ID, application)])).size === 0;
}
