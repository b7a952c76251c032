import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '../kit/api.ts';
import { readyOf, useLoaded } from '../kit/loaded.ts';
import { useSettled } from '../kit/store.ts';
import * as COMMON from '../words/common.ts';
import * as ADVOCATES from '../words/dashboard/advocates.ts';
import { nameOf, Person } from './person.tsx';
import { api } from './service.ts';

interface ChooseAdvocateProps {
  /** "Advocate" by default. */
  readonly label?: string;
  /** The link name; `''` for nobody. */
  readonly value: string;
  readonly onChange: (slug: string) => void;
  readonly isRequired?: boolean;
  /** True where half a link name would be wrong, such as in a filter: only a chosen advocate, or nobody, is reported. */
  readonly mustChoose?: boolean;
}

type Advocate = Schemas['ListedAdvocate'];

const SUGGESTIONS = 6;

/** A field that finds an advocate by name, email or link name. A link name may also be typed. */
export function ChooseAdvocate(props: ChooseAdvocateProps) {
  const { label = COMMON.advocate, value, onChange, isRequired = false, mustChoose = false } = props;
  const id = useId();
  const [text, setText] = useState(value);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  // What this field reported last: another value comes from outside, such as from "Clear filters".
  const reported = useRef(value);
  useLayoutEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  const search = useSettled(isOpen ? text.trim().slice(0, 100) : '');
  const [found] = useLoaded(
    async (signal) => {
      if (search === '') return [];
      return (await api.send('get', '/v2/advocates', { query: { search, per_page: SUGGESTIONS }, signal })).body.data;
    },
    [search],
  );
  const matches: readonly Advocate[] = (isOpen && readyOf(found)?.value) || [];
  // A link name that was typed in full needs no suggestion.
  const advocates = !mustChoose && matches.length === 1 && matches[0]?.attributes.slug === text.trim() ? [] : matches;
  const report = (slug: string) => {
    reported.current = slug;
    onChange(slug);
  };
  const choose = ({ attributes }: Advocate) => {
    setText(attributes.slug);
    setOpen(false);
    report(attributes.slug);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      // Enter in a text field submits nothing.
      event.preventDefault();
      const chosen = advocates[active];
      if (chosen) choose(chosen);
    }
    if (event.key === 'Escape' && advocates.length > 0) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || advocates.length === 0) return;
    event.preventDefault();
    setActive((active + step + advocates.length) % advocates.length);
  };
  return (
    <div class="field choose" onFocusOut={() => setOpen(false)}>
      <label class="field">
        <span>{label}</span>
        <input
          type="text"
          autocomplete="off"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={advocates[active] && `${id}-${active}`}
          required={isRequired}
          placeholder={ADVOCATES.searchHint}
          value={text}
          onKeyDown={press}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setOpen(true);
            setActive(0);
            const typed = currentTarget.value.trim();
            if (!mustChoose || typed === '') report(typed);
          }}
        />
      </label>
      <div id={id} role="listbox" aria-label={COMMON.advocate} class="options" hidden={advocates.length === 0}>
        {advocates.map((advocate, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: The field has the focus and handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: The field points to the active option.
          <div
            key={advocate.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The field keeps the focus, so that the list stays until the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(advocate)}
          >
            <Person {...advocate.attributes} />
            {nameOf(advocate.attributes) !== advocate.attributes.slug && (
              <span class="person-line">{advocate.attributes.slug}</span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
