import { hasSecret } from './responses.ts';
import { Store } from './store.ts';

/** The link of an email. Only a press of a button uses its code, because programs that check emails open links. */
export interface EmailLink {
  /**
   * `code` signs somebody in; `undo` undoes a change of the payout account, and then is `undone`; `confirm` confirms an
   * application.
   */
  readonly kind: 'code' | 'undo' | 'undone' | 'confirm';
  readonly code: string;
  /** Whom the code signs in, as the link says: any text, or none. */
  readonly name: string;
  /** Differs each time that a link is opened, also the same one. */
  readonly opening: number;
}

/** The most characters of a name that are shown. */
const LONGEST_NAME = 80;

/** The links of emails that lead to a page, and the program where people sign in on it. */
export class EmailLinks {
  /** The link that was opened, until the page has dealt with it. */
  readonly link = new Store<EmailLink | undefined>(undefined);
  /** The public key of the program: from the address, or of the last visit. */
  readonly program = new Store<string | undefined>(undefined);
  readonly #key: string;

  /** `key` is where the program is stored. In a frame nobody signs in. */
  constructor(key: string, isFramed: boolean) {
    this.#key = key;
    if (isFramed) return;
    this.program.set(stored(key));
    this.#take(location.hash);
    addEventListener('hashchange', ({ newURL }) => this.#take(new URL(newURL).hash));
  }

  close(): void {
    this.link.set(undefined);
  }

  /** Remembers the program for the next visit. */
  remember(): void {
    try {
      localStorage.setItem(this.#key, this.program.value ?? '');
    } catch {
      // The browser blocks the storage: the next visit needs a link again.
    }
  }

  /** Takes what an address's fragment says. A code leaves the address; the public key of a program is no secret. */
  #take(hash: string): void {
    const link = parseLink(hash);
    if (link && hasSecret(location.hash)) history.replaceState(null, '', location.pathname + location.search);
    const [, named] = /^#program=(pk_\w{1,64})/.exec(hash) ?? [];
    const program = link ? publicKeyOf(link.code) : named;
    if (program !== undefined) this.program.set(program);
    // A code may be made up: it says nothing until somebody has signed in with it.
    if (named !== undefined) this.remember();
    if (link) this.link.set(link);
  }
}

function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) || undefined;
  } catch {
    return undefined;
  }
}

let openings = 0;

function parseLink(hash: string): EmailLink | undefined {
  const [, kind, code = ''] = /^#(code|undo|confirm)=([\w-]*)/.exec(hash) ?? [];
  if (kind !== 'code' && kind !== 'undo' && kind !== 'confirm') return undefined;
  const name = new URLSearchParams(hash.slice(1)).get('name') ?? '';
  openings += 1;
  return { kind, code, opening: openings, name: Array.from(name.trim()).slice(0, LONGEST_NAME).join('') };
}

/** Returns the public key of a code's program, whose id is its first 16 bytes; `undefined` for a malformed code. */
function publicKeyOf(code: string): string | undefined {
  if (!/^[\w-]{86}$/.test(code)) return undefined;
  const bytes = Array.from(atob(code.slice(0, 22).replaceAll('-', '+').replaceAll('_', '/')));
  return `pk_${bytes.map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')}`;
}
