import { toCode } from '../../../functions/codes/http/mapping.ts';
import { type CodeRequest, putCode } from '../../../functions/codes/table/put-code.ts';
import { codePages } from '../../../functions/codes/table/read-codes.ts';
import { parseCode, parsePromotionId } from '../../../functions/kernel/accounts/rules/code.ts';
import { findCode } from '../../../functions/kernel/accounts/table/codes.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { type AdminCommand, NEXT_LINE } from '../cli.ts';
import { Failure } from '../errors.ts';
import * as option from '../options.ts';
import { renderList, renderObject } from '../output.ts';

type CodeOptions = { readonly code: string; readonly advocate: string; readonly promotionCodeId?: string };

const COLUMNS = ['code', 'affiliate_slug', 'active', 'promotion_code_id', 'created_at'] as const;
const NO_CODES = 'The program has no promotion codes yet. Run `code set` to create one.';
const UNKNOWN_CODE = 'No advocate has the code in --code. Run `code list` to see the codes of the program.';
const CODE = ['--code <text>', 'what customers type', (text: string) => parseCode('code', text)] as const;
const ADVOCATE = ['--advocate <slug>', 'slug of the advocate who owns the code', option.slug] as const;

export function addCodeCommands(admin: AdminCommand): void {
  const code = admin.command('code').description('promotion codes, which credit an advocate without a click');

  code
    .programCommand('set', 'give an advocate a code for ever, or activate it again')
    .requiredOption(...CODE)
    .requiredOption(...ADVOCATE)
    .option('--promotion-code-id <id>', "Stripe's id of the promotion code (promo_…)", (text) =>
      parsePromotionId('promotion_code_id', text),
    )
    .examples([
      'code set --program ID --code JANE20 --advocate jane-doe',
      `code set --program ID --code JANE20 --advocate jane-doe ${NEXT_LINE} --promotion-code-id promo_1MiM6KLkdIwHu7ix --json`,
    ])
    .onProgram(
      ({ advocate: slug, ...options }: CodeOptions) =>
        ({ program, table }) =>
          stored(table, program.id, { ...options, slug, active: true }),
    );

  code
    .programCommand('deactivate', 'deactivate a code: it credits nobody from now on')
    .requiredOption(...CODE)
    .onProgram(({ code }: Pick<CodeOptions, 'code'>) => async ({ program, table }) => {
      // A misspelled code must not be taken for ever.
      const known = await findCode(table, program.id, code);
      if (!known) throw new Failure(UNKNOWN_CODE);
      return stored(table, program.id, { code, slug: known.advocateSlug, active: false });
    });

  code.programCommand('list', 'list the codes of a program').onProgram(() => async ({ program, table }) => {
    const rows: ReturnType<typeof attributesOf>[] = [];
    for await (const codes of codePages(table, program.id)) rows.push(...codes.map(attributesOf));
    return renderList(rows, COLUMNS, NO_CODES);
  });
}

const attributesOf = (code: Parameters<typeof toCode>[0]) => toCode(code).attributes;

async function stored(table: Table, program: string, request: CodeRequest) {
  return renderObject(attributesOf((await putCode(table, program, request)).code));
}
