import type { ComponentChildren } from 'preact';
import { hrefOf, useDashboard } from '../router.ts';

interface SectionsProps<Section extends string> {
  readonly view: 'settings' | 'developers';
  readonly label: string;
  readonly names: Readonly<Record<Section, string>>;
  /** In their order. Without another one in the address, the first one is open. */
  readonly sections: readonly [Section, ...Section[]];
  /** Stands below the links. */
  readonly hint?: string | false | undefined;
  readonly children: (section: Section) => ComponentChildren;
}

/** A view in sections, with links at its side; on a phone above it. */
export function Sections<Section extends string>(props: SectionsProps<Section>) {
  const { view, label, names, sections, hint, children } = props;
  const { item } = useDashboard().route;
  const section = sections.find((each) => each === item) ?? sections[0];
  return (
    <div class={`settings-view of-${view}`}>
      <div>
        <nav class="sections" aria-label={label}>
          {sections.map((each) => (
            <a key={each} href={hrefOf(view, each)} aria-current={each === section ? 'page' : undefined}>
              {names[each]}
            </a>
          ))}
        </nav>
        {hint && <p class="hint">{hint}</p>}
      </div>
      <div class="settings-section" key={section}>
        {children(section)}
      </div>
    </div>
  );
}
