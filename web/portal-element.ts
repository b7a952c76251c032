// Served as /portal.js. Defines <referral-portal token-url="/my/referral-token" accent="#0a7d5a" theme="auto">, and
// <referral-apply program="pk_…">, the form of a program, with the same colors.

const TOKEN = 'referral-portal:token';
const { currentScript } = document;
const page = new URL('portal', currentScript instanceof HTMLScriptElement ? currentScript.src : location.href);

class ReferralPortal extends HTMLElement {
  static readonly observedAttributes = ['accent', 'theme', 'token-url', 'program'];
  protected frame: HTMLIFrameElement | undefined;
  /** The last token, to repeat with another color. */
  private last: Record<string, unknown> | undefined;

  connectedCallback(): void {
    const frame = document.createElement('iframe');
    frame.src = page.href + this.fragment;
    frame.title = this.title || this.subject;
    frame.allow = 'clipboard-write';
    frame.style.cssText = 'display:block;width:100%;height:60em;border:0';
    this.frame = frame;
    this.replaceChildren(frame);
    addEventListener('message', this.receive);
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.receive);
  }

  attributeChangedCallback(name: string): void {
    if (name === 'token-url') this.sendToken();
    else if (this.last) this.answer(this.last);
  }

  private readonly receive = ({ source, origin, data }: MessageEvent): void => {
    if (!source || source !== this.frame?.contentWindow || origin !== page.origin || !data) return;
    if (data.type === 'referral-portal:height' && data.height > 0) this.frame.style.height = `${data.height}px`;
    if (data.type === TOKEN) this.sendToken();
    if (data.type === 'referral-portal:refused') {
      this.fail(`The service refused the token of ${this.url}. Return a new token of an advocate of this service.`);
    }
  };

  protected readonly subject: string = 'Referrals';

  protected get fragment(): string {
    return '';
  }

  private get url(): string {
    return this.getAttribute('token-url') || '';
  }

  /** Hands the page a token. If there is none, the page says so. */
  private sendToken(): void {
    if (!this.frame) return;
    this.fetchToken().then(
      (token) => this.answer(token),
      (error) => {
        this.answer({});
        this.fail(error.message);
      },
    );
  }

  /** Tells the developer of the site. */
  private fail(message: string): void {
    console.error(message);
    this.dispatchEvent(new ErrorEvent('error', { message }));
  }

  /** Reads the token from the site's own server, which knows its visitor by the site's cookies. */
  protected async fetchToken(): Promise<Record<string, unknown>> {
    const response = await fetch(this.url, { credentials: 'same-origin', cache: 'no-store' });
    const json = Object(await response.json().catch(() => undefined));
    const { token, expires_at } = Object(json.data?.attributes ?? json);
    if (!response.ok || typeof token !== 'string') {
      throw new Error(`${this.url} returned no token (status ${response.status}).`);
    }
    return { token, expires_at };
  }

  private answer(token: Record<string, unknown>): void {
    this.last = token;
    const look = { accent: this.getAttribute('accent'), theme: this.getAttribute('theme') };
    this.frame?.contentWindow?.postMessage({ type: TOKEN, ...token, ...look }, page.origin);
  }
}

/** The form of a program. Its page gets the colors, but never a token. */
class ReferralApply extends ReferralPortal {
  protected override readonly subject = 'Become an advocate';

  protected override get fragment(): string {
    return `#program=${this.getAttribute('program') || ''}`;
  }

  override attributeChangedCallback(name: string): void {
    if (name !== 'program') super.attributeChangedCallback(name);
    else if (this.frame) this.connectedCallback();
  }

  protected override async fetchToken(): Promise<Record<string, unknown>> {
    return {};
  }
}

if (!customElements.get('referral-portal')) {
  customElements.define('referral-portal', ReferralPortal);
  customElements.define('referral-apply', ReferralApply);
}
