import { expect, test } from '@jest/globals';
import { eventsOf } from '../../../functions/domain/referral/referral-event.ts';
import { currentFieldsReader } from '../../../functions/events/current-fields.ts';
import { aClick, anAdvocate, aProgram } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();

test('an event keeps the id of its advocate when another advocate of the batch takes the place in the cache', async () => {
  const program = await aProgram(table);
  const advocates = [await anAdvocate(table, program), await anAdvocate(table, program)];
  const clicks = await Promise.all(advocates.map((advocate) => aClick(table, program, advocate)));
  const [first, second] = clicks.map((click) =>
    eventsOf(click).map((event) => ({ program: program.id, event, toBus: false })),
  );
  const read = currentFieldsReader(table, 1);
  const idsOf = async (events = [...(first ?? [])]) =>
    events.map(await read(events)).map(({ advocateId }) => advocateId);
  const [one, other] = advocates.map(({ id }) => id);
  expect(await idsOf()).toEqual([one]);
  expect(await idsOf([...(second ?? []), ...(first ?? [])])).toEqual([other, one]);
});
