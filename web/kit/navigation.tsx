import { useId, useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { Icon } from './icons.tsx';

interface NavigationView {
  readonly id: string;
  readonly label: string;
  readonly href: string;
  /** A path of `icons.tsx`. */
  readonly icon: string;
}

interface NavigationProps {
  readonly views: readonly NavigationView[];
  readonly current: string;
  /** How many links stay visible on a phone. The others are behind "More". */
  readonly atFoot: number;
}

/** The links to the views: on a phone a bar at the foot, in a frame at the top. */
export function Navigation({ views, current, atFoot }: NavigationProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const link = ({ id: view, label, href, icon }: NavigationView) => (
    <li key={view}>
      <a href={href} aria-current={view === current ? 'page' : undefined} onClick={() => setOpen(false)}>
        <Icon path={icon} />
        <span>{label}</span>
      </a>
    </li>
  );
  const rest = views.slice(atFoot);
  return (
    <nav class="main-nav" aria-label={COMMON.menu}>
      <ul class="nav-links">
        {views.slice(0, atFoot).map(link)}
        {rest.length > 0 && (
          <li class="nav-more">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={id}
              data-current={rest.some((view) => view.id === current)}
              onClick={() => setOpen(!isOpen)}
              onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
            >
              <Icon path="M4 12h2m5 0h2m5 0h2" />
              <span>{COMMON.more}</span>
            </button>
            <ul id={id} class="nav-rest" data-open={isOpen}>
              {rest.map(link)}
            </ul>
          </li>
        )}
      </ul>
    </nav>
  );
}
