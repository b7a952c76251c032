import { PARTITION_KEY } from '../../functions/kernel/dynamodb/schema.ts';
import type { Change } from './fake/table.ts';
import type { PromiseName } from './knowledge.ts';
import type { Call } from './versions.ts';

/** All sessions in the order in which they were stored, and the codes that created them. */
export class Sessions {
  readonly #stored: { readonly key: string; readonly writer: object | undefined }[] = [];
  /** The keys of the tokens that each code has created, whether or not somebody got the response. */
  readonly byCode = new Map<string, string[]>();

  get count(): number {
    return this.#stored.length;
  }

  /** Notes a new session. */
  add({ before, after }: Change, writer: object | undefined): void {
    if (!before && after?.['session'] === true) this.#stored.push({ key: String(after[PARTITION_KEY]), writer });
  }

  /** Notes what a call has created. Returns the promise that it broke: its response says something else. */
  problemOf({ request, response, since, writer }: Call): readonly [PromiseName, string] | undefined {
    const own = this.#stored.slice(since).filter((session) => session.writer === writer);
    const { operation, body = '' } = request;
    if (operation !== 'createSession')
      return own.length === 0 ? undefined : ['codes-once', `${operation} created a session`];
    const { code }: { code: string } = JSON.parse(body);
    this.byCode.set(code, [...(this.byCode.get(code) ?? []), ...own.map(({ key }) => key)]);
    if (!response || response.status >= 500 || own.length === (response.status === 201 ? 1 : 0)) return undefined;
    return ['codes-once', `createSession returned ${response.status}, and created ${own.length} sessions`];
  }
}
