import { Button } from '../../kit/button.tsx';
import { Store, useStore } from '../../kit/store.ts';
import { tried } from '../../kit/toast.tsx';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { useDashboard } from '../router.ts';
import { session } from '../service.ts';
import { useNewToken } from './new-token.ts';

/** A token that was created for samples of code, in memory only, and the sign-in during which it was. */
const created = new Store({ token: '', epoch: -1 });

/** The token for samples of code, and the button that creates it. It stays until the page is left or signed out. */
export function useServerToken() {
  const { can, token: caller } = useDashboard();
  const { create, isLost } = useNewToken();
  const { token, epoch } = useStore(created);
  const now = useStore(session.state).epoch;
  const known = epoch === now ? token : '';
  // A token can only pass on scopes that it has.
  const isAllowed = can('admin') && can('track');
  const press = () =>
    tried(async () => {
      created.set({ token: await create({ scopes: ['track'], name: DEVELOPERS.serverToken }), epoch: now });
    });
  const button = known ? (
    <p role="status">{DEVELOPERS.serverTokenReady}</p>
  ) : (
    <div class="status-line">
      <p class="soft">
        {isLost ? DEVELOPERS.tokenLost : caller && !isAllowed ? DEVELOPERS.needsAdmin : DEVELOPERS.serverTokenAdvice}
      </p>
      {isAllowed && <Button label={DEVELOPERS.createServerToken} kind="primary" onClick={() => void press()} />}
    </div>
  );
  return { token: known, button };
}
