import { useMemo } from 'preact/hooks';
import { Button, Dialog } from '../kit/controls.tsx';
import { saveFile } from '../kit/csv-button.tsx';
import * as WORDS from '../words/portal/home.ts';
import { type Modules, qrCodeOf } from './qr.ts';

interface QrDialogProps {
  readonly link: string;
  /** The name of the downloaded file, without its ending. */
  readonly name: string;
  readonly onClose: () => void;
}

export function QrDialog({ link, name, onClose }: QrDialogProps) {
  const code = useMemo(() => qrCodeOf(link), [link]);
  return (
    <Dialog title={WORDS.qrCode} onClose={onClose}>
      <div class="form qr-box">
        {code && <QrCode code={code} />}
        <p class="soft made">{link}</p>
        {code && (
          <Button label={WORDS.downloadQr} kind="primary" onClick={() => void downloadPng(code, `${name}.png`)} />
        )}
      </div>
    </Dialog>
  );
}

/** The light modules around a code that readers need. */
const BORDER = 2;

function QrCode({ code }: { readonly code: Modules }) {
  const squares = code.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  const [start, size] = [-BORDER, code.length + 2 * BORDER];
  return (
    <svg class="qr" role="img" aria-label={WORDS.qrCodeOf} viewBox={`${start} ${start} ${size} ${size}`}>
      <rect x={start} y={start} width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

/** Pixels of a square in the downloaded image. */
const SQUARE = 16;

async function downloadPng(code: Modules, name: string): Promise<void> {
  const canvas = document.createElement('canvas');
  const size = (code.length + 2 * BORDER) * SQUARE;
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size, size);
  context.fillStyle = '#000';
  code.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) context.fillRect((x + BORDER) * SQUARE, (y + BORDER) * SQUARE, SQUARE, SQUARE);
    });
  });
  const image = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (image) saveFile(name, image.type, image);
}
