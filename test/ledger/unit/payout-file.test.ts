import { describe, expect, test } from '@jest/globals';
import { ADVOCATE_FIELDS } from '../../../functions/kernel/accounts/rules/advocate-fields.ts';
import { namesIn, projectedAttributes } from '../../../functions/kernel/fields/field-list.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { ENTRY_FIELDS } from '../../../functions/ledger/rules/entry-fields.ts';
import { batchIdOf, type FileRequest, writePayoutFile } from '../../../functions/ledger/rules/payout-file.ts';
import { type Payout, type PayoutFormat, runOf, summarizeRuns } from '../../../functions/ledger/rules/payout-run.ts';
import { sepaText, transferId } from '../../../functions/ledger/rules/sepa.ts';
import { anEntry } from '../../support/ledger/entries.ts';
import { schemaErrors } from '../../support/ledger/pain-schema.ts';
import { program as acme, NOW, refusal } from '../../support/samples.ts';

const IBAN = 'DE02120300000000202051';
const program = { ...acme, payoutName: 'Müller & Söhne GmbH', payoutIban: 'NO9386011117947' };
const requestOf = (format: PayoutFormat, currency = 'eur', changes: Partial<FileRequest> = {}): FileRequest => ({
  ...{ format, run: { name: '2026-10', currency }, program, now: NOW, date: '2026-11-02' },
  ...changes,
});

function payout(slug: string, amount: number, changes: Partial<Payout['advocate']> = {}): Payout {
  const names = { email: `${slug}@partners.example`, firstName: 'Zoë', lastName: 'Janßen', company: null };
  const account = { payoutMethod: 'bank', payoutAccount: IBAN, payoutPendingUntil: null, payoutVersion: 1 } as const;
  return { advocate: { slug, ...names, ...account, ...changes }, amount, id: `2026-10:eur:${slug}`, payoutVersion: 1 };
}
const paypal = (slug: string, amount: number) =>
  payout(slug, amount, { payoutMethod: 'paypal', payoutAccount: `${slug}@pay.example` });
const ALL = [
  payout('jane', 4209),
  paypal('sam', 374),
  payout('ida', 100, { payoutMethod: null, payoutAccount: null, payoutVersion: 0 }),
  { ...payout('kim', 200, { payoutVersion: 2 }), payoutVersion: 1 },
  { ...payout('lea', 300), payoutVersion: null },
  payout('tom', 400, { payoutMethod: 'other', payoutAccount: 'Wise' }),
  payout('eva', 500, { payoutPendingUntil: seconds(NOW + 1) }),
  payout('uma', 600, { payoutPendingUntil: NOW }),
];
const reasonsOf = ({ leftOut }: ReturnType<typeof writePayoutFile>) =>
  leftOut.map(({ payout: { advocate }, reason }) => `${advocate.slug} ${reason}`);
const valuesOf = (xml: string, tag: string) =>
  [...xml.matchAll(new RegExp(`<${tag}[^>]*>([^<]*)`, 'g'))].map(([, value]) => value);

describe('the file of a payout run', () => {
  test('a SEPA file is exactly this message, and valid by its schema', async () => {
    const file = writePayoutFile(requestOf('sepa'), [payout('jane', 4209), payout('joe_1', 5)]);
    const totals = '<NbOfTxs>2</NbOfTxs><CtrlSum>42.14</CtrlSum>';
    const id = '2026-10:eur:4e5f6071';
    const debtor = '<Nm>Muller + Sohne GmbH</Nm>';
    const transfer = (endToEndId: string, amount: string) =>
      `<CdtTrfTxInf><PmtId><EndToEndId>${endToEndId}</EndToEndId></PmtId>` +
      `<Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt><Cdtr><Nm>Zoe Janssen</Nm></Cdtr>` +
      `<CdtrAcct><Id><IBAN>${IBAN}</IBAN></Id></CdtrAcct><RmtInf><Ustrd>Acme 2026-10</Ustrd></RmtInf></CdtTrfTxInf>`;
    expect(file.text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>' +
        `<GrpHdr><MsgId>${id}</MsgId><CreDtTm>2026-05-28T20:26:40Z</CreDtTm>${totals}<InitgPty>${debtor}</InitgPty></GrpHdr>` +
        `<PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>${totals}<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>` +
        `<ReqdExctnDt><Dt>2026-11-02</Dt></ReqdExctnDt><Dbtr>${debtor}</Dbtr><DbtrAcct><Id><IBAN>NO9386011117947</IBAN></Id></DbtrAcct>` +
        '<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>\n' +
        `${transfer('2026-10:eur:jane', '42.09')}\n${transfer(transferId('2026-10:eur:joe_1'), '0.05')}` +
        '</PmtInf></CstmrCdtTrfInitn></Document>\n',
    );
    expect(await schemaErrors(file.text)).toEqual([]);
  });

  test('the schema refuses a file with an error, so that its silence means something', async () => {
    const { text } = writePayoutFile(requestOf('sepa'), [payout('jane', 4209)]);
    expect(await schemaErrors(text.replace('42.09', '42,09'))).not.toEqual([]);
    expect(await schemaErrors(text.replace('<PmtMtd>TRF</PmtMtd>', ''))).not.toEqual([]);
  });

  test('a SEPA file is valid whatever names and ids contain', async () => {
    const names = ['<b>&"\'', '李雷', '😀', 'Ж', 'x'.repeat(200), ' ', '=1+1', "/-?:().,'+"];
    const payouts = names.map((name, index) => ({
      ...payout(`_${index}`, 1, { firstName: name, lastName: null, company: null }),
      id: `${name}:eur:_${index}`,
    }));
    const run = { name: '__', currency: 'eur' };
    const strange = { ...program, name: '李雷', payoutName: 'x'.repeat(69) };
    const { text } = writePayoutFile(requestOf('sepa', 'eur', { run, program: strange }), payouts);
    expect(await schemaErrors(text)).toEqual([]);
    expect(valuesOf(text, 'CtrlSum')).toEqual(['0.08', '0.08']);
    expect(new Set(valuesOf(text, 'EndToEndId')).size).toBe(names.length);
    for (const value of valuesOf(text, 'Nm')) expect(value).toMatch(/^[A-Za-z0-9/?:().,'+ -]{1,70}$/);
  });

  test("PayPal's file has a line without a head for each payment", () => {
    const { text } = writePayoutFile(requestOf('paypal', 'usd'), [
      paypal('sam', 374),
      paypal('a'.repeat(30), 100_000_000_000),
    ]);
    const line = (slug: string, amount: string, id: string) =>
      `${slug}@pay.example,${amount},USD,${id},Acme 2026-10,PAYPAL\r\n`;
    const long = 'a'.repeat(30);
    expect(text).toBe(
      line('sam', '3.74', '2026-10:eur:sam') + line(long, '1000000000.00', transferId(`2026-10:eur:${long}`, 30)),
    );
  });

  test('CSV contains all settlements, with the reason why no file for payments pays one, and without accounts that nobody must pay', () => {
    const { text } = writePayoutFile(requestOf('csv'), [
      ...ALL,
      payout('eve', 1, { firstName: '=1+1', lastName: 'a,"b' }),
    ]);
    const row = (slug: string, rest: string) => `${slug},${slug}@partners.example,Zoë,Janßen,${rest}`;
    expect(text.split('\r\n')).toEqual([
      'slug,email,first_name,last_name,amount,currency,id,payout_method,payout_account,reason',
      row('jane', `42.09,eur,2026-10:eur:jane,bank,${IBAN},`),
      row('sam', '3.74,eur,2026-10:eur:sam,paypal,sam@pay.example,'),
      row('ida', '1.00,eur,2026-10:eur:ida,,,no_account'),
      row('kim', `2.00,eur,2026-10:eur:kim,,,account_changed`),
      row('lea', `3.00,eur,2026-10:eur:lea,,,account_changed`),
      row('tom', '4.00,eur,2026-10:eur:tom,other,Wise,other_method'),
      row('eva', `5.00,eur,2026-10:eur:eva,,,payout_pending`),
      row('uma', `6.00,eur,2026-10:eur:uma,bank,${IBAN},`),
      `eve,eve@partners.example,'=1+1,"a,""b",0.01,eur,2026-10:eur:eve,bank,${IBAN},`,
      '',
    ]);
  });

  test('a file for payments leaves out accounts that are missing, changed or of another method', () => {
    const sepa = writePayoutFile(requestOf('sepa'), ALL);
    expect(valuesOf(sepa.text, 'InstdAmt')).toEqual(['42.09', '6.00']);
    const others = [
      'ida no_account',
      'kim account_changed',
      'lea account_changed',
      'tom other_method',
      'eva payout_pending',
    ];
    expect(reasonsOf(sepa)).toEqual(['sam other_method', ...others]);
    const file = writePayoutFile(requestOf('paypal'), ALL);
    expect(file.text).toMatch(/^sam@pay.example,3.74,EUR,[^\n]*\r\n$/);
    expect(reasonsOf(file)).toEqual(['jane other_method', ...others, 'uma other_method']);
  });

  test('a file leaves out an amount that its format cannot express', () => {
    const largest = [payout('jane', 99_999_999_999), payout('joe', 100_000_000_000)];
    const sepa = writePayoutFile(requestOf('sepa'), largest);
    expect([valuesOf(sepa.text, 'InstdAmt'), reasonsOf(sepa)]).toEqual([['999999999.99'], ['joe unsupported_amount']]);
    const forint = writePayoutFile(requestOf('paypal', 'huf'), [paypal('sam', 1200), paypal('joe', 1250)]);
    expect([forint.text.split(',')[1], reasonsOf(forint)]).toEqual(['12', ['joe unsupported_amount']]);
  });

  test.each<[string, FileRequest, RegExp]>([
    ['another currency than the euro', requestOf('sepa', 'usd'), /^currency must be eur for sepa/],
    ['a currency unknown to PayPal', requestOf('paypal', 'kwd'), /^currency must be a currency of PayPal/],
    ['no IBAN', requestOf('sepa', 'eur', { program: acme }), /^format sepa requires payout_name/],
    [
      'a name in other letters',
      requestOf('sepa', 'eur', { program: { ...program, payoutName: '李' } }),
      /^format sepa req/,
    ],
    ['nothing to pay', requestOf('paypal'), /^format paypal contains none of the settlements/],
  ])('a file with %s is refused', (_, request, sentence) => {
    expect(refusal(() => writePayoutFile(request, [payout('jane', 1)]))).toMatch(sentence);
  });
});

test('no list, index, claim, event or export of the ledger contains anything of a payout account', () => {
  const ofAdvocates = (['v1', 'v2', 'target', 'affiliate'] as const).flatMap((form) => namesIn(ADVOCATE_FIELDS, form));
  const ofEntries = (['api', 'file'] as const).flatMap((form) => namesIn(ENTRY_FIELDS, form));
  const names: string[] = [...ofAdvocates, ...projectedAttributes(ADVOCATE_FIELDS), ...ofEntries];
  expect(names.filter((name) => name.startsWith('payout'))).toEqual([]);
});

describe('ids of payments', () => {
  const HASH = /^[0-9a-f]{30}$/;

  test.each([
    ['2026-10:eur:jane-doe', '2026-10:eur:jane-doe'],
    [`2026-10:eur:${'a'.repeat(23)}`, `2026-10:eur:${'a'.repeat(23)}`],
    [`2026-10:eur:${'a'.repeat(24)}`, HASH],
    ['2026-10:eur:jane_doe', HASH],
    ['October 2026:eur:jane', HASH],
    ['/a', HASH],
    ['a/', HASH],
    ['a//b', HASH],
  ])('the id of %s is %s', (id, expected) => {
    expect(transferId(id)).toEqual(expected === HASH ? expect.stringMatching(HASH) : expected);
    expect(transferId(id)).toBe(transferId(id));
  });

  test('runs of the same name in two programs or currencies have different ids', () => {
    const ids = [
      requestOf('paypal'),
      requestOf('paypal', 'usd'),
      requestOf('csv', 'eur', { program: { ...program, id: 'x-2' } }),
    ];
    expect(new Set(ids.map(batchIdOf)).size).toBe(3);
  });

  test.each([
    ['Zoë Groß & Co', 'Zoe Gross + Co'],
    ['ÆSØP «Ltd»', 'AESOP Ltd'],
    ['Jose\u0301  Núñez_2', 'Jose Nunez 2'],
  ])('SEPA spells %s as %s', (text, spelled) => {
    expect(sepaText(text)).toBe(spelled);
  });
});

describe('runs in the list of settlements', () => {
  const settled = (settlementId: string, commission: number, seconds = 0) =>
    anEntry('jane', NOW, { settlementId, commission, currency: 'eur', createdAt: (NOW + seconds) as typeof NOW });

  test('a settlement belongs to the run in its id, if currency and slug are its own', () => {
    expect(runOf(settled('a:b:eur:jane', -1))).toEqual({ name: 'a:b', currency: 'eur' });
    for (const id of ['payout-1', '2026-10:usd:jane', '2026-10:eur:sam', ':eur:jane']) {
      expect(runOf(settled(id, -1))).toBeUndefined();
    }
  });

  test('settlements add up by run, without settlements of no run', () => {
    const entries = [
      settled('b:eur:jane', -5, 9),
      settled('x', -1),
      settled('a:eur:jane', -2),
      settled('b:eur:jane', -7),
    ];
    expect(summarizeRuns(entries)).toEqual([
      { name: 'b', currency: 'eur', settlements: 2, amount: 12n, firstAt: NOW, lastAt: NOW + 9 },
      { name: 'a', currency: 'eur', settlements: 1, amount: 2n, firstAt: NOW, lastAt: NOW },
    ]);
  });
});
