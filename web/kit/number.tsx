import { useId } from 'preact/hooks';
import { COMMON } from '../words/common.ts';
import { formatChange, formatNumber, formatRate } from './format.ts';

interface FunnelNumberProps {
  readonly name: string;
  readonly value: number;
  /** The value of the period before; `undefined` if there is none to compare with. */
  readonly before: number | undefined;
  /** The period before, such as "7 days". */
  readonly range: string;
  /** The step before this one, with the words for the share, such as "of clicks". */
  readonly of?: { readonly value: number; readonly words: string };
}

/** One step of a funnel: its number in full, its share of the step before, and its change against the period before. */
export function FunnelNumber({ name, value, before, range, of }: FunnelNumberProps) {
  const id = useId();
  const change = before === undefined ? undefined : formatChange(value, before);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div class="stat" role="group" aria-labelledby={id}>
      <p class="stat-name" id={id}>
        {name}
      </p>
      <p class="stat-value">{formatNumber(value)}</p>
      <p class="stat-note">
        {of && (
          <span>
            {formatRate(value, of.value)} {of.words}
          </span>
        )}
        {change !== undefined && (
          <span class={value < (before ?? 0) ? 'change down' : 'change up'}>
            {change} <span class="hidden">{COMMON.before(range)}</span>
          </span>
        )}
      </p>
    </div>
  );
}
