import { addressHash } from '../../../kernel/address.ts';
import { commit } from '../../../kernel/dynamodb/commit.ts';
import {
  addressConfirmationsKey,
  draftKey,
  peopleSettingsKey,
  programConfirmationsKey,
} from '../../../kernel/dynamodb/keys.ts';
import { batchGet, retryOnConflict, type Table } from '../../../kernel/dynamodb/table.ts';
import { uuidv7 } from '../../../kernel/ids.ts';
import { secondOf } from '../../../kernel/time.ts';
import { type ApplicationDraft, newApplication } from '../../rules/applications/application.ts';
import {
  budgetNow,
  CONFIRMATIONS_OF_ADDRESS,
  CONFIRMATIONS_OF_PROGRAM,
  hasRoom,
} from '../../rules/applications/budgets.ts';
import { TooManyApplications } from '../../rules/errors.ts';
import { parsePeopleSettings } from '../people-settings.ts';
import { budgetWrite, draftWrite, isSent, parseApplication, parseBudget } from './items.ts';

/**
 * Stores what an address sent, with one read and one transaction of three writes for every address, so that neither time nor
 * units tell whether it is known. It replaces what the address sent before, unless the address has had too many emails; then it returns
 * false. Throws `ApplicationsClosed`, `InvalidField`, or `TooManyApplications`; then nothing is written.
 */
export function sendApplication(table: Table, program: string, draft: ApplicationDraft): Promise<boolean> {
  const address = addressHash(draft.email);
  const [ofAddress, ofProgram] = [addressConfirmationsKey(address), programConfirmationsKey(program)];
  const id = uuidv7(table.clock(), table.random);
  return retryOnConflict<boolean>(table, async () => {
    const now = secondOf(table.clock());
    const keys = [peopleSettingsKey(program), draftKey(program, address), ofAddress, ofProgram];
    const [settings, stored, countedOfAddress, countedOfProgram] = await batchGet(table, keys);
    const before = parseApplication(stored, now);
    // An earlier attempt, whose response was lost, may have written it.
    if (before.value?.id === id) return { result: isSent(stored) };
    const application = newApplication(draft, parsePeopleSettings(settings), { id, now });
    const [own, all] = [parseBudget(countedOfAddress), parseBudget(countedOfProgram)];
    const addressBudget = budgetNow(own.value, CONFIRMATIONS_OF_ADDRESS, now);
    const programBudget = budgetNow(all.value, CONFIRMATIONS_OF_PROGRAM, now);
    if (!hasRoom(programBudget, CONFIRMATIONS_OF_PROGRAM)) throw new TooManyApplications();
    const sent = hasRoom(addressBudget, CONFIRMATIONS_OF_ADDRESS);
    const more = sent ? 1 : 0;
    const kept = sent ? undefined : before.value;
    const writes = [
      draftWrite(program, kept ?? application, { sent: kept ? isSent(stored) : sent, before }),
      budgetWrite('address', ofAddress, { ...addressBudget, count: addressBudget.count + more }, own),
      budgetWrite('program', ofProgram, { ...programBudget, count: programBudget.count + more }, all),
    ];
    return commit<boolean>(table, writes, sent);
  });
}
