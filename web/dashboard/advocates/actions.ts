import type { Schemas } from '../../kit/api.ts';
import { copyText } from '../../kit/copy-button.tsx';
import { tell, tried } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { nameOf } from '../person.tsx';
import { api } from '../service.ts';
import { fourAtATime } from './in-turn.ts';

export type Advocate = Schemas['ListedAdvocate'];

/** What changes immediately and can be undone. */
export type Changed = Partial<Pick<Advocate['attributes'], 'active' | 'group'>>;
export type OnChanged = (slug: string, changed: Changed) => void;

/** Pauses or resumes links immediately, and offers to undo that. */
export function setActive(advocates: readonly Advocate[], active: boolean, onChanged: OnChanged) {
  const different = advocates.filter(({ attributes }) => attributes.active !== active);
  return change(different, {
    ...{ to: { active }, back: () => ({ active: !active }), onChanged },
    sentence: (count, name) => {
      if (count === 1) return active ? ADVOCATES.resumedOne(name) : ADVOCATES.pausedOne(name);
      return (active ? ADVOCATES.resumedMany : ADVOCATES.pausedMany)(count);
    },
  });
}

/** Puts advocates into a group, or `null`, immediately, and offers to undo that. */
export function setGroup(
  advocates: readonly Advocate[],
  group: { readonly name: string; readonly title: string } | null,
  onChanged: OnChanged,
) {
  const name = group?.name ?? null;
  const different = advocates.filter(({ attributes }) => attributes.group !== name);
  return change(different, {
    ...{ to: { group: name }, back: ({ attributes }) => ({ group: attributes.group }), onChanged },
    sentence: (count) => ADVOCATES.grouped(count, group?.title),
  });
}

interface Change {
  readonly to: Changed;
  readonly back: (advocate: Advocate) => Changed;
  readonly onChanged: OnChanged;
  /** Says how many changed. `name` is the first one's. */
  readonly sentence: (count: number, name: string) => string;
}

/** Changes each advocate, also if others fail. "Undo" is for what changed. Then it says the first error. */
function change(advocates: readonly Advocate[], { to, back, onChanged, sentence }: Change) {
  const send = async (changing: readonly Advocate[], bodyOf: (advocate: Advocate) => Changed, isUndoing = true) => {
    const changed: Advocate[] = [];
    const errors: unknown[] = [];
    await fourAtATime(changing, async (advocate) => {
      const { slug } = advocate.attributes;
      const body = bodyOf(advocate);
      try {
        await api.send('patch', '/v2/advocates/{slug}', { params: { slug }, body });
        onChanged(slug, body);
        changed.push(advocate);
      } catch (error) {
        errors.push(error);
      }
    });
    const [first] = changed;
    if (first && !isUndoing) {
      tell(sentence(changed.length, nameOf(first.attributes)), { undo: () => send(changed, back) });
    }
    if (errors.length > 0) throw errors[0];
  };
  return tried(async () => {
    if (advocates.length === 0) return ADVOCATES.nothingToDo;
    await send(advocates, () => to, false);
    return undefined;
  });
}

/** Opens the page of an advocate in a new tab, with a token that lasts an hour, or until this page's token ends. */
export function openTheirPage({ attributes }: Advocate): Promise<void> {
  const { slug } = attributes;
  return tried(async () => {
    const { data } = (await api.send('post', '/v2/advocates/{slug}/tokens', { params: { slug }, body: {} })).body;
    // Without `noopener`, the tab would get a copy of this tab's storage, with the program's token.
    window.open(`portal#token=${data.attributes.token}`, '_blank', 'noopener,noreferrer');
    return ADVOCATES.opened(nameOf(attributes));
  });
}

export function copyLink({ attributes: { referral_link } }: Advocate): Promise<void> {
  return tried(async () => ((await copyText(referral_link)) ? COMMON.copied : COMMON.copyFailed));
}

/** An erased advocate has no email. It keeps its numbers, and has no link. */
export const isErased = ({ attributes: { email } }: Pick<Advocate, 'attributes'>) => email === null;
