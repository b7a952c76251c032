import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { Button } from '../../kit/button.tsx';
import { type Column, number, text } from '../../kit/columns.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { TextField } from '../../kit/fields.tsx';
import { formatDate, formatNumber } from '../../kit/format.ts';
import { List } from '../../kit/list.tsx';
import { useLoaded } from '../../kit/loaded.ts';
import { pageOf, usePages } from '../../kit/pages.ts';
import { Table } from '../../kit/table.tsx';
import { tell, tried } from '../../kit/toast.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { fourApi } from './four-api.ts';

type Advocate = Schemas['Advocate'];
type Code = Schemas['PromotionCode'];

export function LinksAndCodes({ advocate: { attributes } }: { readonly advocate: Advocate }) {
  return (
    <div class="form">
      <Codes slug={attributes.slug} canAdd={attributes.email !== null} />
      <Labels slug={attributes.slug} />
    </div>
  );
}

/** The codes that customers type at the checkout. */
function Codes({ slug, canAdd }: { readonly slug: string; readonly canAdd: boolean }) {
  const { can } = useDashboard();
  const [isAdding, setAdding] = useState(false);
  const pages = usePages(
    (cursor, signal) => pageOf(fourApi.send('get', '/v2/codes', { query: { affiliate_slug: slug, cursor }, signal })),
    [slug],
  );
  const put = async (code: string, active: boolean) => {
    await fourApi.send('put', '/v2/codes/{code}', { params: { code }, body: { affiliate_slug: slug, active } });
    pages.reload();
  };
  const setState = ({ code, active }: Code['attributes']) =>
    tried(async () => {
      await put(code, !active);
      tell((active ? ADVOCATES.turnedOff : ADVOCATES.turnedOn)(code), { undo: () => put(code, active) });
      return undefined;
    });
  const columns: Column<Code>[] = [
    text(ADVOCATES.code, ({ attributes: { code } }) => <bdi>{code}</bdi>, 'name'),
    text(
      COMMON.state,
      ({ attributes: { active } }) => (active ? ADVOCATES.codeState.on : ADVOCATES.codeState.off),
      'below',
    ),
    text(ADVOCATES.added, ({ attributes: { created_at } }) => formatDate(created_at)),
    text(
      COMMON.actions,
      ({ attributes }) => (
        <div class="buttons row">
          <CopyButton text={attributes.code} label={COMMON.copy} />
          {can('advocates') && (
            <Button
              label={attributes.active ? ADVOCATES.turnOff : ADVOCATES.turnOn}
              kind="quiet"
              onClick={() => void setState(attributes)}
            />
          )}
        </div>
      ),
      'key',
    ),
  ];
  return (
    <section>
      <div class="card-head">
        <h3>{ADVOCATES.codes}</h3>
        {can('advocates') && canAdd && <Button label={ADVOCATES.addCode} onClick={() => setAdding(true)} />}
      </div>
      <List name={ADVOCATES.codes} pages={pages} lines={2} height={2.5} columns={columns} empty={ADVOCATES.noCodes} />
      {isAdding && (
        <AddCode
          onClose={() => setAdding(false)}
          onSave={async (code) => {
            await put(code, true);
            setAdding(false);
            tell(ADVOCATES.codeAdded(code.toUpperCase()));
          }}
        />
      )}
    </section>
  );
}

interface AddCodeProps {
  readonly onClose: () => void;
  readonly onSave: (code: string) => Promise<void>;
}

function AddCode({ onClose, onSave }: AddCodeProps) {
  const [code, setCode] = useState('');
  return (
    <FormDialog title={ADVOCATES.addCode} onClose={onClose} onSave={() => onSave(code.trim())}>
      <TextField
        label={ADVOCATES.code}
        hint={ADVOCATES.codeHint}
        maxLength={64}
        pattern="\s*[A-Za-z0-9_\-]{1,64}\s*"
        isRequired
        value={code}
        onInput={setCode}
      />
    </FormDialog>
  );
}

type Label = Schemas['Counts']['attributes']['groups'][number];

/** What the labels of the advocate's links brought. The reason stands here if the service refuses to count so much. */
function Labels({ slug }: { readonly slug: string }) {
  const [loaded] = useLoaded(
    async (signal) => {
      const query = { affiliate_slug: slug, group_by: 'sub_id', clicks: false } as const;
      try {
        const { data } = (await fourApi.send('get', '/v2/referrals/counts', { query, signal })).body;
        return data.attributes.groups.filter(({ key }) => key !== null);
      } catch (error) {
        if (error instanceof ApiError && error.isRefusal) return error.message;
        throw error;
      }
    },
    [slug],
  );
  return (
    <section>
      <h3>{ADVOCATES.labels}</h3>
      <WhenReady loaded={loaded} skeleton={<Skeleton lines={2} height={2.5} />}>
        {(labels) =>
          typeof labels === 'string' ? (
            <p class="soft">{labels}</p>
          ) : (
            <Table
              name={ADVOCATES.labels}
              columns={LABEL_COLUMNS}
              rows={labels}
              keyOf={({ key }) => key ?? ''}
              empty={ADVOCATES.noLabels}
            />
          )
        }
      </WhenReady>
    </section>
  );
}

const LABEL_COLUMNS: readonly Column<Label>[] = [
  text(ADVOCATES.label, ({ key }) => <bdi>{key}</bdi>, 'name'),
  number(COMMON.signUps, ({ converted, paid, churned }) => formatNumber(converted + paid + churned), 'key'),
  number(COMMON.paying, ({ paid }) => formatNumber(paid)),
];
