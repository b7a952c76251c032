import { Button } from '../../kit/button.tsx';
import { Menu } from '../../kit/menu.tsx';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { useDashboard } from '../router.ts';
import { type OnChanged, setActive, setGroup } from './actions.ts';
import { type Groups, titleOf } from './groups.tsx';
import type { Row } from './rows.ts';

interface SelectionBarProps {
  readonly rows: readonly Row[];
  readonly groups: Groups | undefined;
  readonly onChanged: OnChanged;
  readonly onClear: () => void;
}

/** A bar in sight with what can be done with the selected advocates. "Download CSV" then writes only these. */
export function SelectionBar({ rows, groups, onChanged, onClear }: SelectionBarProps) {
  const { can } = useDashboard();
  const isPaused = rows.every(({ attributes }) => !attributes.active);
  return (
    <div class="selection-bar">
      <span role="status">{ADVOCATES.selected(rows.length)}</span>
      {can('advocates') && (
        <Button
          label={isPaused ? ADVOCATES.resumeLinks : ADVOCATES.pauseLinks}
          onClick={() => void setActive(rows, isPaused, onChanged)}
        />
      )}
      {can('advocates') && can('admin') && groups !== undefined && groups.size > 0 && (
        <Menu
          label={ADVOCATES.setGroup}
          items={[
            ...[...groups.keys()].map((name) => ({
              label: titleOf(groups, name),
              onSelect: () => void setGroup(rows, { name, title: titleOf(groups, name) }, onChanged),
            })),
            { label: ADVOCATES.noGroup, onSelect: () => void setGroup(rows, null, onChanged) },
          ]}
        />
      )}
      <Button label={ADVOCATES.clear} kind="quiet" onClick={onClear} />
    </div>
  );
}
