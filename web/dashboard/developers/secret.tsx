import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { CopyField } from '../form-dialog.tsx';

/** A new secret, which is never shown again. */
export function Secret(field: { readonly label: string; readonly value: string }) {
  return (
    <div class="form" role="status">
      <p>{DEVELOPERS.shownOnce}</p>
      <CopyField {...field} />
    </div>
  );
}
