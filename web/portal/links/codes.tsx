import type { Schemas } from '../../kit/api.ts';
import { Card } from '../../kit/card.tsx';
import { number, text } from '../../kit/columns.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { Table } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/links.ts';
import { api } from '../service.ts';

type Code = Schemas['PromotionCode'];

const COLUMNS = [
  text<Code>(
    WORDS.code,
    ({ id, attributes: { active } }) => (
      <>
        <code>{id}</code> {!active && <span class="badge">{WORDS.inactive}</span>}
      </>
    ),
    'name',
  ),
  number<Code>(COMMON.copy, ({ id }) => <CopyButton text={id} label={COMMON.copy} name={WORDS.copyLabel(id)} />, 'key'),
];

/** The advocate's codes, if there are any. */
export function Codes() {
  const [codes] = useLoaded(async (signal) => {
    const query = { per_page: 50 };
    return (await api.send('get', '/v2/affiliate/codes', { query, signal })).body.data;
  }, []);
  const rows = readyOf(codes)?.value ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={WORDS.codes} advice={WORDS.codesAdvice}>
      <Table name={WORDS.codes} columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
    </Card>
  );
}
