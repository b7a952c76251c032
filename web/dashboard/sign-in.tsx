import { useState } from 'preact/hooks';
import { ApiError } from '../kit/api-error.ts';
import { toApiError } from '../kit/load.ts';
import { Alert, Problem } from '../kit/status.tsx';
import { DASHBOARD } from '../words/dashboard.ts';
import { programIdOf, session } from './service.ts';

/** Takes a program token. What is typed stays after an error. */
export function SignIn() {
  const [token, setToken] = useState('');
  const [error, setError] = useState<ApiError>();
  const [isSending, setSending] = useState(false);
  async function submit(): Promise<void> {
    setSending(true);
    setError(undefined);
    try {
      const typed = token.trim();
      // Other characters fit into no header: the request would fail as if there were no connection.
      if (!/^[\w-]+$/.test(typed)) throw new ApiError(DASHBOARD.wrongToken, 401);
      await programIdOf(typed);
      await session.accept(typed);
    } catch (failure) {
      setError(toApiError(failure));
      setSending(false);
      return;
    }
    setSending(false);
  }
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label class="field">
        <span>{DASHBOARD.token}</span>
        <input
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={isSending}>
        {DASHBOARD.signIn}
      </button>
      {error && <Refusal error={error} />}
    </form>
  );
}

/** Says why a token cannot sign in. */
export function Refusal({ error }: { readonly error: ApiError }) {
  if (error.status !== 401 && error.status !== 403) return <Problem error={error} />;
  return (
    <Alert title={DASHBOARD.cannotSignIn}>
      <p>{error.status === 401 ? DASHBOARD.wrongToken : error.message}</p>
      {error.status === 403 && <p>{DASHBOARD.cannotSignInAdvice}</p>}
    </Alert>
  );
}
