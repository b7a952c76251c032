import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Paged, Pager } from '../../kit/list.tsx';
import { usePages } from '../../kit/pages.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { type About, ExplanationDialog } from '../explanation.tsx';
import type { Filters } from '../router.ts';
import { api } from '../service.ts';
import { ReferralTable } from './columns.tsx';

interface SearchResultsProps {
  readonly text: string;
  readonly filters: Filters;
}

/** The referrals whose email or id begins with a text. A page may be short although more follow. */
export function SearchResults({ text, filters }: SearchResultsProps) {
  const [about, setAbout] = useState<About>();
  const pages = usePages(
    async (cursor, signal) => {
      const body = { text, ...(cursor !== undefined && { cursor }) };
      const found = (await api.send('post', '/v2/referrals/search', { body, signal, isRepeatable: true })).body;
      return { rows: found.data, next: found.meta.cursor ?? undefined };
    },
    [text],
  );
  return (
    <>
      <p class="soft">{REFERRALS.searching}</p>
      <Paged pages={pages} lines={3}>
        {pages.rows.length > 0 && <ReferralTable rows={pages.rows} filters={filters} />}
        {pages.rows.length === 0 && pages.next === undefined && pages.page === 1 && (
          <p class="empty">
            {REFERRALS.noResult}{' '}
            <Button label={REFERRALS.whyMissing} kind="link" onClick={() => setAbout(aboutOf(text))} />
          </p>
        )}
        <Pager pages={pages} />
      </Paged>
      {about && <ExplanationDialog about={about} onClose={() => setAbout(undefined)} />}
    </>
  );
}

const EMAIL = /^\S+@\S+\.\S+$/;

/** What a text can be: an email, or the merchant's own id, which has no form. */
const aboutOf = (text: string): About => (EMAIL.test(text) ? { email: text } : { uid: text });
