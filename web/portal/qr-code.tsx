import { useLayoutEffect, useRef } from 'preact/hooks';
import { encode } from 'uqr';
import { Button } from '../kit/button.tsx';
import { saveFile } from '../kit/csv-button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import * as WORDS from '../words/portal/home.ts';

interface QrDialogProps {
  readonly link: string;
  /** The name of the downloaded file, without its ending. */
  readonly name: string;
  readonly onClose: () => void;
}

export function QrDialog({ link, name, onClose }: QrDialogProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current, link);
  }, [link]);
  const download = () => canvas.current?.toBlob((image) => image && saveFile(`${name}.png`, image.type, image));
  return (
    <Dialog title={WORDS.qrCode} onClose={onClose}>
      <div class="form qr-box">
        <canvas ref={canvas} class="qr" role="img" aria-label={WORDS.qrCodeOf} />
        <p class="soft made">{link}</p>
        <Button label={WORDS.downloadQr} kind="primary" onClick={download} />
      </div>
    </Dialog>
  );
}

/** Pixels of a module: enough to print the code. */
const SIZE = 16;

function draw(canvas: HTMLCanvasElement, text: string): void {
  // Readers need the light border.
  const code = encode(text, { ecc: 'M', border: 2 }).data;
  canvas.width = code.length * SIZE;
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (!context) return;
  code.forEach((row, y) => {
    row.forEach((isDark, x) => {
      context.fillStyle = isDark ? '#000' : '#fff';
      context.fillRect(x * SIZE, y * SIZE, SIZE, SIZE);
    });
  });
}
