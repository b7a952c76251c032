import { useId, useRef } from 'preact/hooks';

interface Item {
  readonly label: string;
  readonly onSelect: () => void;
  readonly isDanger?: boolean;
}

interface LinkItem {
  readonly label: string;
  readonly href: string;
  readonly isDanger?: boolean;
}

interface MenuProps {
  readonly label: string;
  /** The accessible name, such as "Actions for Jane". */
  readonly name?: string;
  readonly items: readonly (Item | LinkItem)[];
  /** The class of the button. */
  readonly kind?: string;
}

/** A button that opens a menu. Escape and a press elsewhere close it, and the button gets the focus again. */
export function Menu({ label, name, items, kind = '' }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const itemsOf = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  const focus = (index: number) => {
    const all = itemsOf();
    all.at(index % all.length)?.focus();
  };
  const close = () => {
    menu.current?.hidePopover();
    button.current?.focus();
  };
  const toggled = ({ newState }: { readonly newState: string }) => {
    const isOpen = newState === 'open';
    button.current?.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen || !button.current || !menu.current) return;
    place(menu.current, button.current);
    focus(0);
  };
  const move = (event: KeyboardEvent) => {
    const { activeElement } = document;
    const at = activeElement instanceof HTMLElement ? itemsOf().indexOf(activeElement) : -1;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Tab') menu.current?.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    focus(next);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={kind}
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded="false"
        popovertarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          menu.current?.showPopover();
        }}
      >
        {label}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        class="menu"
        role="menu"
        aria-label={name ?? label}
        onToggle={toggled}
        onKeyDown={move}
      >
        {items.map((item) => {
          const shared = {
            key: item.label,
            role: 'menuitem',
            tabIndex: -1,
            class: item.isDanger ? 'danger' : '',
          } as const;
          if ('href' in item) {
            return (
              <a {...shared} href={item.href} onClick={close}>
                {item.label}
              </a>
            );
          }
          const select = () => {
            close();
            item.onSelect();
          };
          return (
            <button {...shared} type="button" onClick={select}>
              {item.label}
            </button>
          );
        })}
      </div>
    </>
  );
}

/** Places a menu below its button, or above it if there is more room, and within the window. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = menu;
  const below = bottom + 4;
  const isBelow = below + offsetHeight <= innerHeight || top < offsetHeight;
  menu.style.top = `${isBelow ? below : top - offsetHeight - 4}px`;
  menu.style.left = `${left + offsetWidth <= innerWidth - 8 ? left : Math.max(8, right - offsetWidth)}px`;
}
