import { useState } from 'preact/hooks';
import type { ResponseBody } from '../../kit/api.ts';
import { type Loaded, readyOf } from '../../kit/loaded.ts';
import { Store, useStore } from '../../kit/store.ts';
import { type Program, reloadProgram, useDashboard } from '../router.ts';
import { api } from '../service.ts';
import type { Changes } from './fields.ts';

export type ProgramSettings = Program['attributes'];
export type People = ResponseBody<'/v2/program/people', 'get'>['data']['attributes'];

/** What a section gets that changes a resource of the API. */
interface SectionProps<Stored> {
  readonly stored: Stored;
  readonly save: (changes: Changes) => Promise<Stored>;
}

export interface ProgramSectionProps extends SectionProps<ProgramSettings> {
  readonly isLocked: boolean;
}

/** Of the settings of emails and applications. */
export type PeopleSectionProps = SectionProps<People>;

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
  const { program } = useDashboard();
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

/** What was read or saved last. */
export function useNewest<Value>(loaded: Loaded<Value>): [Value | undefined, (value: Value) => void] {
  const [saved, setSaved] = useState<{ readonly value: Value; readonly at: number }>();
  const read = readyOf(loaded);
  const isNewer = saved !== undefined && (read === undefined || read.at < saved.at);
  return [isNewer ? saved.value : read?.value, (value) => setSaved({ value, at: Date.now() })];
}
