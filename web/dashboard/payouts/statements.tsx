import { useState } from 'preact/hooks';
import { STATEMENT_COLUMNS } from '../../../functions/ledger/rules/statement-file.ts';
import { Card, SelectField } from '../../kit/controls.tsx';
import { CsvButton } from '../../kit/csv-button.tsx';
import { formatKey, monthsBack } from '../../kit/format.ts';
import { linesOf, statementCells } from '../../kit/statement-file.ts';
import * as COMMON from '../../words/common.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { useDashboard } from '../router.ts';

/** The months of the combobox: this one and the 23 before. */
const MONTHS = 24;

/** The statements of a month for all advocates, as a file. Nothing is read before its button is pressed. */
export function Statements() {
  const { api } = useDashboard();
  const [month, setMonth] = useState(monthsBack(Date.now(), 0));
  const months = Array.from({ length: MONTHS }, (_, back) => monthsBack(Date.now(), back));
  return (
    <Card title={COMMON.statements} advice={PAYOUTS.monthly}>
      <div class="filters">
        <SelectField
          label={COMMON.month}
          isInline
          value={month}
          options={months.map((each) => [each, formatKey(each, 'long')] as const)}
          onChange={setMonth}
        />
        <CsvButton
          key={month}
          file={`statements-${month}.csv`}
          columns={STATEMENT_COLUMNS}
          cells={statementCells}
          read={async (cursor, signal) => {
            const { body, next } = await api.send('get', '/v2/statements', { query: { month, cursor }, signal });
            return { rows: [body.data].flat().flatMap(linesOf), next };
          }}
          whenCut={PAYOUTS.cut}
        />
      </div>
    </Card>
  );
}
