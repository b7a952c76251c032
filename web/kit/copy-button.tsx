import { useEffect, useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { Button } from './button.tsx';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** The name for assistive technology, where the label stands in a row that says what is copied. */
  readonly name?: string;
  readonly class?: string;
}

export function CopyButton({ text, label, name, class: className = '' }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (result !== 'copied') return;
    const timer = setTimeout(() => setResult(undefined), 2500);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => setResult((await copyText(text)) ? 'copied' : 'failed');
  return (
    <span class="copy">
      <Button label={label} aria-label={name} kind={className} onClick={() => void copy()} />
      <span role="status" class="copy-result">
        {result === 'copied' && COMMON.copied}
        {result === 'failed' && COMMON.copyFailed}
      </span>
    </span>
  );
}

/** Copies a text. Frames may lack the permission for the clipboard's API. The older way works there after a click. */
export async function copyText(text: string): Promise<boolean> {
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
