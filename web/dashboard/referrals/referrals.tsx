import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Search } from '../../kit/fields.tsx';
import { useSettled } from '../../kit/store.ts';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { navigate, useDashboard } from '../router.ts';
import { Drawer } from './drawer.tsx';
import { FilterBar, parseFilters } from './filters.tsx';
import { List } from './list.tsx';
import { NewReferral } from './new-referral.tsx';
import { SearchResults } from './search.tsx';

/** The customers whom advocates brought. What is searched for is personal: it never gets into the address. */
export function Referrals() {
  const { can, route } = useDashboard();
  const filters = parseFilters(route.filters);
  const [typed, setTyped] = useState('');
  const [isAdding, setAdding] = useState(false);
  const text = useSettled(typed.trim());
  const open = (id?: string) => navigate('referrals', id, filters);
  return (
    <>
      <section class="card" aria-label={REFERRALS.title}>
        <div class="tools">
          <Search label={COMMON.search} example={REFERRALS.searchHint} value={typed} onInput={setTyped} />
          {text === '' && <FilterBar filters={filters} />}
          {can('track') && <Button label={REFERRALS.add} kind="primary add" onClick={() => setAdding(true)} />}
        </div>
        {text === '' ? <List filters={filters} /> : <SearchResults text={text} filters={filters} />}
      </section>
      {isAdding && (
        <NewReferral
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            setAdding(false);
            open(id);
          }}
        />
      )}
      {route.item !== undefined && <Drawer key={route.item} id={route.item} onClose={() => open()} />}
    </>
  );
}
