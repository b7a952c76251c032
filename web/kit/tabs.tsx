import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: () => ComponentChildren;
  /** Stands below the label and describes the tab, such as its number. */
  readonly summary?: ComponentChildren;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  readonly kind?: string;
}

/** Tabs, of which the arrow keys select another one. The content of the selected tab stands below. */
export function Tabs({ label, tabs, selected, onSelect, kind = '' }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const index = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === selected),
  );
  const current = tabs[index];
  const move = (event: KeyboardEvent) => {
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length);
    if (!tab) return;
    event.preventDefault();
    onSelect(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[tabs.indexOf(tab)]?.focus();
  };
  return (
    <div class={`tabs ${kind}`}>
      {/* One tab is no choice. */}
      {tabs.length > 1 && (
        <div ref={list} role="tablist" aria-label={label} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-describedby={tab.summary === undefined ? undefined : `${id}-${tab.id}-summary`}
              aria-selected={tab === current}
              aria-controls={`${id}-panel`}
              tabIndex={tab === current ? 0 : -1}
              onClick={() => onSelect(tab.id)}
            >
              <span>{tab.label}</span>
              {/* Hidden from the name of the tab, but not from its description. */}
              {tab.summary !== undefined && (
                <span aria-hidden="true" id={`${id}-${tab.id}-summary`} class="tab-summary">
                  {tab.summary}
                </span>
              )}
            </button>
          ))}
        </div>
      )}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current?.id}`}>
        {current?.content()}
      </div>
    </div>
  );
}
