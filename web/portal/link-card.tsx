import { useMemo, useState } from 'preact/hooks';
import { encode } from 'uqr';
import { Button, Card, CopyButton, TextField } from '../kit/controls.tsx';
import { saveFile } from '../kit/csv-button.tsx';
import { Skeleton } from '../kit/status.tsx';
import { COMMON } from '../words/common.ts';
import { PORTAL } from '../words/portal.ts';
import { deepLink } from './deep-link.ts';
import type { Affiliate } from './service.ts';

export function LinkCard({ about }: { readonly about: Affiliate | undefined }) {
  return (
    <section class="card link-card">
      {about ? <Link link={about.referral_link} slug={about.slug} /> : <Skeleton lines={2} height={2.25} />}
    </section>
  );
}

function Link({ link, slug }: { readonly link: string; readonly slug: string }) {
  // Many squares: they are not drawn again with each answer that arrives.
  const [code, image] = useMemo(() => {
    const made = qrCode(link);
    return [made, made && <QrCode code={made} />];
  }, [link]);
  return (
    <>
      <div class="link-fields">
        <label class="field">
          <span>{PORTAL.link}</span>
          <input type="text" readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
        </label>
        <div class="buttons">
          <CopyButton text={link} label={COMMON.copyLink} class="primary" />
          {code && <Button label={PORTAL.downloadQr} onClick={() => void downloadPng(code, `${slug}.png`)} />}
        </div>
      </div>
      {image}
    </>
  );
}

type Code = readonly (readonly boolean[])[];

/** Returns the QR code of a text; `undefined` if the text is too long for one. */
function qrCode(text: string): Code | undefined {
  try {
    return encode(text, { ecc: 'M', border: 2 }).data;
  } catch {
    return undefined;
  }
}

function QrCode({ code }: { readonly code: Code }) {
  const squares = code.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg class="qr" role="img" aria-label={PORTAL.qrCode} viewBox={`0 0 ${code.length} ${code.length}`}>
      <rect width={code.length} height={code.length} fill="#fff" />
      <path d={squares.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

/** Pixels of a square in the downloaded image. */
const SQUARE = 16;

async function downloadPng(code: Code, name: string): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = code.length * SQUARE;
  canvas.height = code.length * SQUARE;
  const context = canvas.getContext('2d');
  if (!context) return;
  code.forEach((row, y) => {
    row.forEach((isDark, x) => {
      context.fillStyle = isDark ? '#000' : '#fff';
      context.fillRect(x * SQUARE, y * SQUARE, SQUARE, SQUARE);
    });
  });
  const image = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (image) saveFile(name, image.type, image);
}

export function DeepLinks({ about }: { readonly about: Affiliate | undefined }) {
  return (
    <Card title={PORTAL.deepLinks}>{about ? <Builder about={about} /> : <Skeleton lines={4} height={2.25} />}</Card>
  );
}

function Builder({ about: { slug, program } }: { readonly about: Affiliate }) {
  const [page, setPage] = useState('');
  const [subId, setSubId] = useState('');
  const rules = { slug, siteUrl: program.site_url, linkParameter: program.link_parameter };
  const result = deepLink(page, subId.trim(), rules);
  const fault = 'fault' in result ? PORTAL.faults[result.fault] : undefined;
  const link = 'link' in result ? result.link : '';
  return (
    <div class="builder">
      <p class="soft">{PORTAL.deepLinksAdvice(new URL(program.site_url).hostname.replace(/^www\./, ''))}</p>
      <TextField
        label={PORTAL.page}
        inputMode="url"
        placeholder={PORTAL.pageExample}
        value={page}
        fault={fault}
        onInput={setPage}
      />
      <TextField label={COMMON.subId} maxLength={128} value={subId} onInput={setSubId} />
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
