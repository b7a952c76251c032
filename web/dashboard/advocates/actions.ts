import type { Api, Schemas } from '../../kit/api.ts';
import { copyText } from '../../kit/controls.tsx';
import { tell, tried } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { nameOf } from '../person.tsx';
import { fourAtATime } from './in-turn.ts';

export type Advocate = Schemas['ListedAdvocate'];

/** What changes immediately and can be undone. */
export type Changed = Partial<Pick<Advocate['attributes'], 'active' | 'group'>>;
export type OnChanged = (slug: string, changed: Changed) => void;

/** Pauses or resumes links immediately, and offers to undo that. */
export function setActive(api: Api, advocates: readonly Advocate[], active: boolean, onChanged: OnChanged) {
  const different = advocates.filter(({ attributes }) => attributes.active !== active);
  const [first] = different;
  return tried(async () => {
    if (!first) return ADVOCATES.nothingToDo;
    await change(api, different, () => ({ active }), onChanged);
    const name = nameOf(first.attributes);
    const one = active ? ADVOCATES.resumedOne(name) : ADVOCATES.pausedOne(name);
    const many = active ? ADVOCATES.resumedMany : ADVOCATES.pausedMany;
    tell(different.length === 1 ? one : many(different.length), {
      undo: () => change(api, different, () => ({ active: !active }), onChanged),
    });
    return undefined;
  });
}

/** Puts advocates into a group, or `null`, immediately, and offers to undo that. */
export function setGroup(
  api: Api,
  advocates: readonly Advocate[],
  group: { readonly name: string; readonly title: string } | null,
  onChanged: OnChanged,
) {
  const name = group?.name ?? null;
  const different = advocates.filter(({ attributes }) => attributes.group !== name);
  return tried(async () => {
    if (different.length === 0) return ADVOCATES.nothingToDo;
    await change(api, different, () => ({ group: name }), onChanged);
    tell(ADVOCATES.grouped(different.length, group?.title), {
      undo: () => change(api, different, ({ attributes }) => ({ group: attributes.group }), onChanged),
    });
    return undefined;
  });
}

function change(
  api: Api,
  advocates: readonly Advocate[],
  changesOf: (advocate: Advocate) => Changed,
  onChanged: OnChanged,
): Promise<void> {
  return fourAtATime(advocates, async (advocate) => {
    const { slug } = advocate.attributes;
    const body = changesOf(advocate);
    await api.send('patch', '/v2/advocates/{slug}', { params: { slug }, body });
    onChanged(slug, body);
  });
}

/** Opens the page of an advocate in a new tab, with a token that lasts an hour, or until this page's token ends. */
export function openTheirPage(api: Api, { attributes }: Advocate): Promise<void> {
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
