const isFramed = window.parent !== window;
/** The control that was pressed last, in a frame. */
let pressed: Element | undefined;

if (isFramed) {
  document.documentElement.classList.add('framed');
  const notice = ({ target }: Event) => {
    if (target instanceof Element) pressed = target.closest('button, a, input, select, summary') ?? target;
  };
  addEventListener('click', notice, true);
}

/** The lower edge in the page of the control that was pressed last. */
const pressedEdge = () => (pressed?.isConnected ? pressed.getBoundingClientRect().bottom + scrollY : 0);

/**
 * Where a message is in sight. A frame is as high as its page, so that its foot may be far away: there, a message stands
 * below the control that was pressed last. Elsewhere the style of the message decides.
 */
export function placeInFrame(): { readonly position: 'absolute'; readonly inset: string } | undefined {
  return isFramed ? { position: 'absolute', inset: `${Math.round(pressedEdge()) + 8}px 0 auto` } : undefined;
}

/** Places an open dialog beside the control that was pressed last, in a frame. Elsewhere it is in the middle. */
export function placeDialog({ style, offsetHeight }: HTMLElement): void {
  if (!isFramed) return;
  const lowest = document.documentElement.scrollHeight - offsetHeight - 16;
  style.position = 'absolute';
  style.inset = `${Math.round(Math.max(16, Math.min(lowest, pressedEdge() - offsetHeight / 2)))}px 0 auto`;
  style.marginBlock = '0';
}
