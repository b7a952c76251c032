import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/home.ts';
import { QrDialog } from '../qr-code.tsx';
import { type Affiliate, isFramed } from '../service.ts';

/** In a frame, the page around it would have to allow it. */
const canShare = !isFramed && 'share' in navigator;

/** Lets somebody choose where to share a link, or nothing. */
const share = (url: string) => navigator.share({ url }).catch(() => undefined);

/** The advocate's link, first on the page: to share it is what the page is for. */
export function LinkCard({ about }: { readonly about: Affiliate | undefined }) {
  const [isShown, setShown] = useState(false);
  const link = about?.referral_link ?? '';
  return (
    <section class="card link-card">
      {/* Of its final size before the link is known. */}
      <label key={link} class="field" aria-hidden={!about}>
        <span>{WORDS.link}</span>
        <input
          type="text"
          readOnly
          disabled={!about}
          value={link}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </label>
      <div class="buttons">
        {about && (
          <>
            <CopyButton text={link} label={COMMON.copyLink} class="primary" />
            <Button label={WORDS.qrCode} onClick={() => setShown(true)} />
            {canShare && <Button label={WORDS.shareLink} onClick={() => void share(link)} />}
          </>
        )}
      </div>
      {isShown && about && <QrDialog link={link} name={about.slug} onClose={() => setShown(false)} />}
    </section>
  );
}
