import { useEffect, useRef } from 'preact/hooks';
import { useDashboard } from '../router.ts';
import { List } from './list.tsx';
import { OneAdvocate } from './one.tsx';

export function Advocates() {
  const { item } = useDashboard().route;
  const shown = useRef(item);
  useEffect(() => {
    if (shown.current === item) return;
    shown.current = item;
    // The link that had the focus is gone.
    document.querySelector('h1')?.focus();
  }, [item]);
  return item === undefined ? <List /> : <OneAdvocate key={item} slug={item} />;
}
