import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { CODE_FIELDS, type PromotionCode } from '../../kernel/accounts/rules/code.ts';
import { parseAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { parseCodeItem } from '../../kernel/accounts/table/codes.ts';
import { commit } from '../../kernel/dynamodb/commit.ts';
import { NOT_EXISTS, notExistsOrSame, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Item, toAttributes } from '../../kernel/dynamodb/item.ts';
import {
  advocateCodes,
  advocateKey,
  codeCountKey,
  codeKey,
  promotionKey,
  sortKey,
} from '../../kernel/dynamodb/keys.ts';
import { batchGet, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { type FailedConditions, type LabelledWrite, putWrite, updateWrite } from '../../kernel/dynamodb/writes.ts';
import { AdvocateErased, InvalidAffiliate } from '../../kernel/errors.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { secondOf } from '../../kernel/time.ts';
import { CodeTaken, MAX_CODES, PromotionCodeTaken, TooManyCodes } from '../rules/errors.ts';

/** A code to create or to change. What is absent stays. */
export interface CodeRequest {
  /** In upper case. */
  readonly code: string;
  readonly slug: string;
  readonly active?: boolean | undefined;
  readonly promotionCodeId?: string | undefined;
}

type CodeWriteName = 'code' | 'count' | 'claim';

/** A code after a request, inactive if its advocate is, and whether the request changed the code. */
export interface StoredCode {
  readonly code: PromotionCode;
  readonly isChanged: boolean;
}

/**
 * Gives an advocate a code for ever, or changes it, with one read and one transaction: the code, the number of codes and
 * the claim of Stripe's promotion code. Writes nothing if nothing changes. Throws `InvalidAffiliate`, `AdvocateErased`,
 * `CodeTaken`, `PromotionCodeTaken` or `TooManyCodes`.
 */
export function putCode(table: Table, program: string, request: CodeRequest): Promise<StoredCode> {
  return retryOnConflict<StoredCode>(table, async () => {
    const [advocateItem, item] = await batchGet(table, [
      advocateKey(program, request.slug),
      codeKey(program, request.code),
    ]);
    if (!advocateItem) throw new InvalidAffiliate();
    const advocate = parseAdvocate(advocateItem);
    const before = item && parseCodeItem(item);
    if (before && before.advocateSlug !== request.slug) throw new CodeTaken();
    if (!before && advocate.erasedAt !== null && request.active !== false) throw new AdvocateErased();
    const code = changedCode(table, before, request);
    if (code === before) return { result: storedCode(code, advocate, false) };
    const id = uuidv7(table.clock(), table.random);
    const writes = before
      ? [
          putWrite('code', { ...item, ...toAttributes(CODE_FIELDS, code) }, unchangedSince(before)),
          ...claimWrites(program, before, code),
        ]
      : newCodeWrites(program, code, id);
    return commit(table, writes, storedCode(code, advocate, true), refuse);
  });
}

/** Builds the writes that store a new code in one transaction. */
export const newCodeWrites = (program: string, code: PromotionCode, id: string): LabelledWrite<CodeWriteName>[] => [
  putWrite('code', toNewItem(program, code, id), NOT_EXISTS),
  countWrite(program),
  ...claimWrites(program, undefined, code),
];

const storedCode = (code: PromotionCode, { active }: Pick<Advocate, 'active'>, isChanged: boolean): StoredCode => {
  return { code: { ...code, active: code.active && active }, isChanged };
};

function changedCode(table: Table, before: PromotionCode | undefined, request: CodeRequest): PromotionCode {
  const { code, slug, active = before?.active ?? true } = request;
  const promotionCodeId = request.promotionCodeId ?? before?.promotionCodeId ?? null;
  if (!before) {
    const createdAt = secondOf(table.clock());
    return { code, advocateSlug: slug, active, promotionCodeId, createdAt, version: 1 };
  }
  const isSame = active === before.active && promotionCodeId === before.promotionCodeId;
  return isSame ? before : { ...before, active, promotionCodeId, version: before.version + 1 };
}

function toNewItem(program: string, code: PromotionCode, id: string): Item {
  return {
    ...codeKey(program, code.code),
    ...toAttributes(CODE_FIELDS, code),
    owner: advocateCodes(program, code.advocateSlug),
    created: sortKey(code.createdAt, id),
  };
}

/** Counts a new code. All of them conflict here, but codes are seldom created. */
function countWrite(program: string): LabelledWrite<'count'> {
  return updateWrite(
    'count',
    codeCountKey(program),
    { UpdateExpression: 'ADD codes :one', ExpressionAttributeValues: { ':one': 1 } },
    {
      ConditionExpression: 'attribute_not_exists(codes) OR codes < :max',
      ExpressionAttributeValues: { ':max': MAX_CODES },
    },
  );
}

/** The claim of Stripe's promotion code stays when the code gets another one: a checkout may still name the first. */
function claimWrites(
  program: string,
  before: PromotionCode | undefined,
  { code, advocateSlug, promotionCodeId }: PromotionCode,
): LabelledWrite<'claim'>[] {
  if (promotionCodeId === null || promotionCodeId === before?.promotionCodeId) return [];
  const item = { ...promotionKey(program, promotionCodeId), code, affiliate_slug: advocateSlug };
  return [putWrite('claim', item, notExistsOrSame('code', code))];
}

/** A failed condition of the code comes first: another request has created or changed it, which is read again. */
function refuse(failed: FailedConditions<string>): void {
  if (failed.has('code')) return;
  if (failed.has('claim')) throw new PromotionCodeTaken();
  if (failed.has('count')) throw new TooManyCodes();
}
