import { useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { saveFile } from '../../kit/csv-button.tsx';
import { TextField } from '../../kit/fields.tsx';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { FormDialog } from '../form-dialog.tsx';
import { reloadProgram, useDashboard } from '../router.ts';
import { api } from '../service.ts';
import type { Run } from './run.ts';

type Format = keyof typeof PAYOUTS.DOWNLOADS;

/** The most advocates that a sentence names. */
const NAMED = 5;

/** The formats of a run's file. A bank transfers only euros. */
export const formatsOf = (currency: string): readonly Format[] =>
  currency === 'eur' ? ['paypal', 'sepa', 'csv'] : ['paypal', 'csv'];

/**
 * Downloads files of runs. `act` runs a download, and shows the sentence that it returns. The first SEPA file asks for the
 * account from which the merchant pays, in `dialog`.
 */
export function useDownloads(act: (download: () => Promise<string>) => void, nameOf = (slug: string) => slug) {
  const { program } = useDashboard();
  const [waiting, setWaiting] = useState<Run>();
  async function download({ run, currency }: Run, format: Format): Promise<string> {
    const [params, query] = [{ run }, { currency, format }];
    const { data } = (await api.send('get', '/v2/payout-runs/{run}/file', { params, query }).catch(inWords)).body;
    const { name, media_type, content, left_out } = data.attributes;
    saveFile(name, `${media_type};charset=utf-8`, content);
    // CSV contains them, with the reason.
    if (format === 'csv' || left_out.length === 0) return PAYOUTS.downloaded(name);
    const people = left_out.map((each) => `${nameOf(each.affiliate_slug)} (${PAYOUTS.LEFT_OUT[each.reason]})`);
    const rest = people.length > NAMED ? [PAYOUTS.andMore(people.length - NAMED)] : [];
    return PAYOUTS.downloaded(name) + PAYOUTS.notInFile([...people.slice(0, NAMED), ...rest].join(', '));
  }
  const attributes = program?.attributes;
  const hasAccount = Boolean(attributes?.payout_name && attributes.payout_iban);
  const start = (run: Run, format: Format) => {
    if (format === 'sepa' && !hasAccount) setWaiting(run);
    else act(() => download(run, format));
  };
  const dialog = waiting && (
    <BankAccount
      onClose={() => setWaiting(undefined)}
      onSaved={() => {
        setWaiting(undefined);
        reloadProgram();
        act(() => download(waiting, 'sepa'));
      }}
    />
  );
  return { start, dialog };
}

/** The API refuses a file that would pay nobody, in words of the API. */
function inWords(error: unknown): never {
  const isEmpty = error instanceof ApiError && error.message.includes('none of the settlements');
  throw isEmpty ? new ApiError(PAYOUTS.emptyFile, error.status, error.code) : error;
}

/** Asks from which account the merchant pays. */
function BankAccount({ onClose, onSaved }: { readonly onClose: () => void; readonly onSaved: () => void }) {
  const { program } = useDashboard();
  const [holder, setHolder] = useState(program?.attributes.payout_name ?? '');
  const [iban, setIban] = useState(program?.attributes.payout_iban ?? '');
  async function save(): Promise<void> {
    const body = { payout_name: holder.trim(), payout_iban: iban.trim() };
    await api.send('patch', '/v2/program', { body });
    onSaved();
  }
  return (
    <FormDialog title={PAYOUTS.bankAccount} onClose={onClose} onSave={save}>
      <p class="soft">{PAYOUTS.bankAdvice}</p>
      <TextField label={PAYOUTS.holder} isRequired maxLength={70} value={holder} onInput={setHolder} />
      <TextField label={PAYOUTS.iban} isRequired value={iban} onInput={setIban} />
    </FormDialog>
  );
}
