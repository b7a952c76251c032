import type { Session } from '../kit/session.ts';
import { Store } from '../kit/store.ts';
import { paintAccent, paintTheme } from './paint.ts';

const TOKEN = 'referral-portal:token';
const HEIGHT = 'referral-portal:height';
const REFUSED = 'referral-portal:refused';
/** Seconds between two requests for a token. */
const PAUSE = 30;
/** Seconds before the end of a token at which the page asks for the next one. */
const BEFORE_END = 60;
/** Seconds to wait for an answer, which may need two requests. */
const PATIENCE = 20;
/** The longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * The page around the frame, which the element `<referral-portal>` of `/portal.js` speaks for. Requests for a token hold
 * no secret, so they may go to any origin. Only the parent's messages count.
 */
export class Frame {
  /** True if the parent has no token, or does not answer. */
  readonly hasFailed = new Store(false);
  /** True if the service refused the parent's last token soon after it arrived. */
  readonly wasRefused = new Store(false);
  /** True while the parent is asked, or the page waits until it may ask. */
  readonly isAsking = new Store(false);
  readonly #session: Session;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: ReturnType<typeof setTimeout> | undefined;
  #answer: ReturnType<typeof setTimeout> | undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Session) {
    this.#session = session;
    addEventListener('message', (event) => {
      if (event.source === window.parent) this.#receive(event.data);
    });
    new ResizeObserver(() => {
      const height = Math.ceil(document.body.getBoundingClientRect().height);
      window.parent.postMessage({ type: HEIGHT, height }, '*');
    }).observe(document.body);
  }

  /** Asks for a token, at most once in 30 seconds. */
  ask(): void {
    if (this.#asking !== undefined) return;
    this.isAsking.set(true);
    const delay = Math.max(0, this.#askedAt + PAUSE * 1000 - performance.now());
    this.#asking = setTimeout(() => {
      this.#asking = undefined;
      this.#askedAt = performance.now();
      window.parent.postMessage({ type: TOKEN }, '*');
      clearTimeout(this.#answer);
      this.#answer = setTimeout(() => this.#answered(false), PATIENCE * 1000);
    }, delay);
  }

  /** Asks for another token. A token that is refused although it is new cannot wait: both sides are told. */
  askAfterRefusal(): void {
    if (performance.now() < this.#askedAt + PAUSE * 1000) this.#refuse();
    this.ask();
  }

  /** Tells the person, and the parent, whose developer can repair it. */
  #refuse(): void {
    this.wasRefused.set(true);
    window.parent.postMessage({ type: REFUSED }, '*');
  }

  #answered(isToken: boolean): void {
    clearTimeout(this.#answer);
    this.isAsking.set(this.#asking !== undefined);
    this.hasFailed.set(!isToken);
  }

  /** Asks before the end of a token. A token that ends sooner, or only seems so on a wrong clock, waits for a 401. */
  #renewBefore(end: unknown): void {
    const delay = typeof end === 'number' ? (end - BEFORE_END) * 1000 - Date.now() : 0;
    // After a refusal, only a person asks again.
    if (delay <= 0 || this.#session.state.value.kind !== 'open') return;
    clearTimeout(this.#renewal);
    this.#renewal = setTimeout(() => this.ask(), Math.min(LONGEST, delay));
  }

  /** The parent may hand another token before it is asked. */
  #forgetRefusal(): void {
    clearTimeout(this.#asking);
    this.#asking = undefined;
    this.isAsking.set(false);
    this.wasRefused.set(false);
  }

  #receive(data: unknown): void {
    const { type, token, expires_at, accent, theme }: Record<string, unknown> = Object(data);
    if (type !== TOKEN) return;
    paintTheme(theme);
    paintAccent(accent);
    const isToken = typeof token === 'string' && /^[\w-]+$/.test(token);
    this.#answered(isToken);
    if (!isToken) return;
    clearTimeout(this.#renewal);
    if (token !== this.#session.token) this.#forgetRefusal();
    void this.#session.accept(token).then(() => {
      if (this.#session.state.value.isRefused) this.#refuse();
      this.#renewBefore(expires_at);
    });
  }
}
