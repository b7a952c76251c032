import { useEffect, useState } from 'preact/hooks';
import { COMMON } from '../words/common.ts';
import { Button } from './controls.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What the button does, such as "Copy link". */
  readonly label: string;
  readonly class?: string;
}

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label, class: className = '' }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (result !== 'copied') return;
    const timer = setTimeout(() => setResult(undefined), 2500);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => setResult((await copyText(text)) ? 'copied' : 'failed');
  return (
    <span class="copy">
      <Button label={label} kind={className} onClick={() => void copy()} />
      <span role="status" class="copy-result">
        {result === 'copied' && COMMON.copied}
        {result === 'failed' && COMMON.copyFailed}
      </span>
    </span>
  );
}

/** Frames may lack the permission for the clipboard's API. The older way works there after a click. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    const focused = document.activeElement;
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}
