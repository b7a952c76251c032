import type { Schemas } from '../../kit/api.ts';
import { SelectField } from '../../kit/fields.tsx';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { fourApi } from './four-api.ts';

export type Groups = ReadonlyMap<string, Schemas['Group']['attributes']>;

/** The groups by name; `undefined` until they are read. They are read once something needs them. */
export function useGroups(isNeeded = true): Groups | undefined {
  const [loaded] = useLoaded(
    async (signal): Promise<Groups | undefined> => {
      if (!isNeeded) return undefined;
      const { data } = (await fourApi.send('get', '/v2/groups', { signal })).body;
      return new Map(data.map(({ id, attributes }) => [id, attributes]));
    },
    [isNeeded],
  );
  return readyOf(loaded)?.value;
}

/** What people call a group. */
export const titleOf = (groups: Groups | undefined, name: string): string => groups?.get(name)?.title ?? name;

/** The groups as options: their names and titles. */
export const groupOptions = (groups: Groups | undefined): (readonly [string, string])[] =>
  [...(groups?.keys() ?? [])].map((name) => [name, titleOf(groups, name)] as const);

interface ChooseGroupProps {
  /** The name of the group, `''` for none. */
  readonly value: string;
  readonly onChange: (name: string) => void;
}

/** The group of an advocate. Without any group in the program, there is nothing to choose. */
export function ChooseGroup({ value, onChange }: ChooseGroupProps) {
  const groups = useGroups();
  if (groups?.size === 0) return null;
  // Until the groups are read, the present one is the only option.
  const options = groups ? groupOptions(groups) : value === '' ? [] : [[value, value] as const];
  return (
    <SelectField
      label={ADVOCATES.group}
      value={value}
      options={[['', ADVOCATES.noGroup], ...options]}
      onChange={onChange}
    />
  );
}
