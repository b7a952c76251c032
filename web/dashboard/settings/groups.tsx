import { useState } from 'preact/hooks';
import type { ResponseBody } from '../../kit/api.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { type Column, number, text } from '../../kit/columns.ts';
import { useLoaded } from '../../kit/loaded.ts';
import { hasTerms, termsText } from '../../kit/rules.ts';
import { Table } from '../../kit/table.tsx';
import { tell } from '../../kit/toast.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { Earns } from './commission.tsx';
import { type Field, fault, slugOf, textIn } from './fields.ts';
import { SettingsDialog } from './form.tsx';
import { TERMS_FIELDS, termsDraft } from './terms.ts';

type Group = ResponseBody<'/v2/groups', 'get'>['data'][number];

const NO_TERMS = { commission_percentage: null, commission_months: null, commission_rules: null };
const FIELDS: readonly Field[] = [{ name: 'title', label: SETTINGS.name, isRequired: true }, ...TERMS_FIELDS];

const nameOf = ({ id, attributes: { title } }: Group) => title ?? id;

/** The groups of advocates with a commission of their own. */
export function Groups() {
  const isLocked = !useDashboard().can('admin');
  /** The group that is edited; `null` for a new one. */
  const [edited, setEdited] = useState<Group | null>();
  const [list, reload] = useLoaded(async (signal) => (await api.send('get', '/v2/groups', { signal })).body.data, []);
  const columns: readonly Column<Group>[] = [
    text(SETTINGS.group, (group) => <bdi>{nameOf(group)}</bdi>, 'name'),
    text(
      SETTINGS.commission,
      ({ attributes }) => (hasTerms(attributes) ? termsText(attributes) : SETTINGS.asProgram),
      'below',
    ),
    number(
      COMMON.actions,
      (group) => !isLocked && <Button label={SETTINGS.edit} onClick={() => setEdited(group)} />,
      'key',
    ),
  ];
  return (
    <Card
      title={SETTINGS.groups}
      beside={!isLocked && <Button label={SETTINGS.addGroup} onClick={() => setEdited(null)} />}
    >
      <WhenReady loaded={list} skeleton={<Skeleton lines={2} height={2} />}>
        {(groups) => (
          <>
            <Table
              name={SETTINGS.groups}
              columns={columns}
              rows={groups}
              keyOf={({ id }) => id}
              empty={SETTINGS.noGroups}
            />
            {edited !== undefined && (
              <GroupDialog
                group={edited}
                groups={groups}
                onClose={(isSaved) => {
                  setEdited(undefined);
                  if (isSaved) reload();
                }}
              />
            )}
          </>
        )}
      </WhenReady>
    </Card>
  );
}

interface GroupDialogProps {
  readonly group: Group | null;
  readonly groups: readonly Group[];
  readonly onClose: (isSaved: boolean) => void;
}

function GroupDialog({ group, groups, onClose }: GroupDialogProps) {
  const draft = { title: group ? nameOf(group) : '', ...termsDraft(group?.attributes ?? NO_TERMS) };
  return (
    <SettingsDialog
      title={group ? SETTINGS.editGroup : SETTINGS.addGroup}
      onClose={() => onClose(false)}
      fields={FIELDS}
      draft={draft}
      onSave={async (body, typed) => {
        const name = group?.id ?? newName(textIn(typed, 'title'), groups);
        await api.send('put', '/v2/groups/{name}', { params: { name }, body });
        tell(SETTINGS.saved);
        onClose(true);
        return undefined;
      }}
    >
      {(view, typed) => (
        <>
          {view(...FIELDS.map(({ name }) => name))}
          <Earns draft={typed} nothing={SETTINGS.earnsProgram} />
        </>
      )}
    </SettingsDialog>
  );
}

/** The name of a new group in the API. Saving under a name that is taken would change that group. */
function newName(title: string, groups: readonly Group[]): string {
  const name = slugOf(title, '-').slice(0, 60) || `group-${groups.length + 1}`;
  if (groups.some(({ id }) => id === name)) throw fault('title', SETTINGS.groupExists);
  return name;
}
