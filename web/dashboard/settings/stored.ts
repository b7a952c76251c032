import { useState } from 'preact/hooks';
import type { RequestBody, ResponseBody } from '../../kit/api.ts';
import { type Loaded, readyOf } from '../../kit/status.tsx';
import { Store, useStore } from '../../kit/store.ts';
import { tell } from '../../kit/toast.tsx';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { type Program, useDashboard } from '../router.ts';
import { api } from '../service.ts';
import type { Changes, Draft } from './fields.ts';

export type ProgramSettings = Program['attributes'];
export type People = ResponseBody<'/v2/program/people', 'get'>['data']['attributes'];
export type SavePeople = (body: RequestBody<'/v2/program/people', 'patch'>) => Promise<People>;

/** What the section of a part of the program gets. */
export interface ProgramSectionProps {
  readonly settings: ProgramSettings;
  readonly isLocked: boolean;
}

/** What the section of a part of the emails' settings gets. */
export interface PeopleSectionProps {
  readonly people: People;
  readonly savePeople: SavePeople;
}

/** Milliseconds for which the service may remember the program as it was. */
const STALE = 30_000;

interface Saved {
  readonly id: string;
  readonly changes: Partial<ProgramSettings>;
  readonly at: number;
}

const last = new Store<Saved | undefined>(undefined);

/** The settings of the program, with what was just saved: the service may remember the program as it was. */
export function useProgram() {
  const { program, reloadProgram } = useDashboard();
  const saved = useStore(last);
  const recent = saved && saved.id === program?.id && Date.now() < saved.at + STALE ? saved.changes : {};
  function keep(changes: Partial<ProgramSettings>): void {
    if (program) last.set({ id: program.id, changes: { ...recent, ...changes }, at: Date.now() });
    reloadProgram();
  }
  async function saveProgram(body: Changes): Promise<ProgramSettings> {
    const { attributes } = (await api.send('patch', '/v2/program', { body })).body.data;
    keep(attributes);
    return attributes;
  }
  return { settings: program && { ...program.attributes, ...recent }, keep, saveProgram };
}

/** Returns the function that saves changes of the program, and returns what its form contains then. */
export function useProgramSave(draftOf: (settings: ProgramSettings) => Draft) {
  const { saveProgram } = useProgram();
  return async (changes: Changes): Promise<Draft> => {
    const settings = await saveProgram(changes);
    tell(SETTINGS.saved);
    return draftOf(settings);
  };
}

/** What was read or saved last. */
export function useNewest<Value>(loaded: Loaded<Value>): [Value | undefined, (value: Value) => void] {
  const [saved, setSaved] = useState<{ readonly value: Value; readonly at: number }>();
  const read = readyOf(loaded);
  const isNewer = saved !== undefined && (read === undefined || read.at < saved.at);
  return [isNewer ? saved.value : read?.value, (value) => setSaved({ value, at: Date.now() })];
}
