import { useState } from 'preact/hooks';
import { Button, CopyButton } from '../../kit/controls.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/home.ts';
import { QrDialog } from '../qr-code.tsx';
import type { Affiliate } from '../service.ts';

/** The advocate's link, first on the page: to share it is what the page is for. */
export function LinkCard({ about }: { readonly about: Affiliate | undefined }) {
  const [isShown, setShown] = useState(false);
  const link = about?.referral_link ?? '';
  return (
    <section class="card link-card">
      {about ? (
        <label class="field">
          <span>{WORDS.link}</span>
          <input type="text" readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
        </label>
      ) : (
        // Of the same size, so that nothing moves.
        <div class="field" aria-hidden="true">
          <span>{WORDS.link}</span>
          <input type="text" disabled />
        </div>
      )}
      <div class="buttons">
        {about && (
          <>
            <CopyButton text={link} label={COMMON.copyLink} class="primary" />
            <Button label={WORDS.qrCode} onClick={() => setShown(true)} />
          </>
        )}
      </div>
      {isShown && about && <QrDialog link={link} name={about.slug} onClose={() => setShown(false)} />}
    </section>
  );
}
