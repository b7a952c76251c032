import { useId, useState } from 'preact/hooks';
import { CopyButton } from '../kit/copy.tsx';
import { Skeleton } from '../kit/status.tsx';
import { PORTAL } from '../words/portal.ts';
import type { Affiliate } from './affiliate.ts';
import { deepLink } from './deep-link.ts';

/** Builds links to any page of the site. */
export function DeepLinks({ about }: { readonly about: Affiliate | undefined }) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{PORTAL.deepLinks}</h2>
      {about ? <Builder about={about} /> : <Skeleton lines={4} height={2.25} />}
    </section>
  );
}

function Builder({ about: { slug, program } }: { readonly about: Affiliate }) {
  const [page, setPage] = useState('');
  const [subId, setSubId] = useState('');
  const id = useId();
  const rules = { slug, siteUrl: program.site_url, linkParameter: program.link_parameter };
  const result = deepLink(page, subId.trim(), rules);
  const fault = 'fault' in result ? PORTAL.faults[result.fault] : undefined;
  const link = 'link' in result ? result.link : '';
  return (
    <div class="builder">
      <p class="soft">{PORTAL.deepLinksAdvice(new URL(program.site_url).hostname.replace(/^www\./, ''))}</p>
      <label class="field">
        <span>{PORTAL.page}</span>
        <input
          type="text"
          inputMode="url"
          autocomplete="off"
          placeholder={PORTAL.pageExample}
          value={page}
          aria-invalid={fault !== undefined}
          aria-describedby={id}
          onInput={({ currentTarget }) => setPage(currentTarget.value)}
        />
      </label>
      <p id={id} class="fault" aria-live="polite">
        {fault}
      </p>
      <label class="field">
        <span>{PORTAL.subId}</span>
        <input
          type="text"
          autocomplete="off"
          maxLength={128}
          value={subId}
          onInput={({ currentTarget }) => setSubId(currentTarget.value)}
        />
      </label>
      <div class="field">
        <span aria-hidden="true">{PORTAL.deepLink}</span>
        <output class="made" aria-label={PORTAL.deepLink}>
          {link}
        </output>
      </div>
      {link !== '' && <CopyButton text={link} label={PORTAL.copyDeepLink} />}
    </div>
  );
}
