import { useState } from 'preact/hooks';
import { useSettled } from '../../kit/settled.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { Drawer } from './drawer.tsx';
import { FilterBar } from './filter-bar.tsx';
import { parseFilters, type ReferralFilters, toFilters } from './filters.ts';
import { List } from './list.tsx';
import { NewReferral } from './new-referral.tsx';
import { Results } from './results.tsx';

/** All referrals of the program, with what the merchant can do about each. */
export function Referrals() {
  const { filters: inAddress, navigate, can } = useDashboard();
  const filters = parseFilters(inAddress);
  const [typed, setTyped] = useState('');
  const [isAdding, setAdding] = useState(false);
  const text = useSettled(typed.trim());
  const change = (changes: Partial<ReferralFilters>) => navigate('referrals', toFilters({ ...filters, ...changes }));
  const open = (id: string) => change({ id });
  return (
    <>
      <section class="card" aria-label={REFERRALS.title}>
        <div class="card-head">
          <FilterBar filters={filters} onChange={change} typed={typed} onType={setTyped} />
          {can('track') && (
            <button type="button" class="primary" onClick={() => setAdding(true)}>
              {REFERRALS.add}
            </button>
          )}
        </div>
        {text === '' ? (
          <List filters={filters} onChange={change} onOpen={open} />
        ) : (
          <Results text={text} onOpen={open} onClear={() => setTyped('')} />
        )}
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
      {filters.id !== undefined && (
        <Drawer key={filters.id} id={filters.id} onClose={() => change({ id: undefined })} />
      )}
    </>
  );
}
