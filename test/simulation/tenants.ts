import type { Item } from '../../functions/kernel/dynamodb/item.ts';
import { lastPart, programInKey } from '../../functions/kernel/dynamodb/keys.ts';
import type { Change } from './fake/table.ts';

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const MARK = /\bshop-\d\b/g;

/** Knows which program each id in the table belongs to. */
export class Tenants {
  readonly #programs = new Map<string, string>();
  /** The text that occurs in the data of a program, by its id. */
  readonly #marks = new Map<string, string>();

  /** Notes the ids in a changed item. */
  add({ after }: Change): void {
    if (!after) return;
    const program = programOf(after);
    const { pk, created, sk } = after;
    if (sk === 'PROGRAM') this.#marks.set(program, String(after['name']));
    for (const id of [program, lastPart(String(pk)), lastPart(String(created))]) this.#programs.set(id, program);
  }

  /** Returns the first id or mark of another program in a text; `undefined` if there is none. */
  foreignIn(text: string, program: string): string | undefined {
    for (const [mark] of text.matchAll(MARK)) if (mark !== this.#marks.get(program)) return mark;
    for (const [id] of text.matchAll(ID)) if ((this.#programs.get(id) ?? program) !== program) return id;
    return undefined;
  }
}

/** The program of an item. The key of a token does not contain it. */
export function programOf({ pk, owner }: Item): string {
  return programInKey(String(pk).startsWith('TOKEN#') ? String(owner) : String(pk));
}
