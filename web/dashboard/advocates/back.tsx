import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { hrefOf } from '../router.ts';

/** Leads back to the list of advocates. */
export const BackLink = () => (
  <a class="back" href={hrefOf('advocates')}>
    {ADVOCATES.all}
  </a>
);
