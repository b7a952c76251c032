import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { Button } from '../../kit/button.tsx';
import { Facts } from '../../kit/facts.tsx';
import { SelectField, TextField } from '../../kit/fields.tsx';
import { formatDate, formatMoment, formatPercentage } from '../../kit/format.ts';
import { hasTerms, termsText } from '../../kit/rules.ts';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { Confirm, confirmErasure, Form, FormDialog } from '../form-dialog.tsx';
import { nameOf } from '../person.tsx';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { YourFields } from '../your-fields.tsx';
import { isErased } from './actions.ts';
import { type Groups, titleOf } from './groups.tsx';

type Advocate = Schemas['Advocate'];
type Attributes = Advocate['attributes'];

interface DetailsProps {
  readonly advocate: Advocate;
  readonly groups: Groups | undefined;
  readonly onChanged: () => void;
}

/** The fields, terms and payout account of an advocate, and what ends its access. */
export function Details({ advocate, groups, onChanged }: DetailsProps) {
  const { can, program } = useDashboard();
  const [open, setOpen] = useState<'account' | 'sessions'>();
  const { attributes } = advocate;
  const { group, terms_version, accepted_at } = attributes;
  const terms = [group === null ? undefined : groups?.get(group), program?.attributes].find(
    (each) => each && hasTerms(each),
  );
  const close = () => setOpen(undefined);
  const facts: [name: string, value: ComponentChildren][] = [
    [COMMON.email, attributes.email],
    [ADVOCATES.linkName, attributes.slug],
    [COMMON.yourId, attributes.uid],
    [ADVOCATES.company, attributes.company],
    [ADVOCATES.group, group === null ? null : titleOf(groups, group)],
    [
      ADVOCATES.terms,
      attributes.commission_percentage === null
        ? terms && termsText(terms)
        : formatPercentage(attributes.commission_percentage),
    ],
    [ADVOCATES.added, formatDate(attributes.created_at)],
    [
      ADVOCATES.acceptedTerms,
      terms_version !== null && accepted_at !== null && ADVOCATES.termsOf(terms_version, formatDate(accepted_at)),
    ],
    [ADVOCATES.account, can('payouts') ? accountText(attributes) : ADVOCATES.hiddenAccount],
  ];
  return (
    <div class="form advocate-details">
      <Facts kind="facts" facts={facts.map(([name, value]) => [name, value || '–'])} />
      <YourFields metadata={attributes.metadata} />
      {!isErased(advocate) && (
        <>
          <div class="buttons start">
            {can('payouts') && can('advocates') && (
              <Button label={ADVOCATES.changeAccount} onClick={() => setOpen('account')} />
            )}
            {can('advocates') && <Button label={ADVOCATES.endSessions} onClick={() => setOpen('sessions')} />}
          </div>
          {can('advocates') && <Erase slug={attributes.slug} onErased={onChanged} />}
        </>
      )}
      {open === 'account' && (
        <AccountDialog
          attributes={attributes}
          onClose={close}
          onSaved={() => {
            close();
            onChanged();
          }}
        />
      )}
      {open === 'sessions' && <EndSessions attributes={attributes} onClose={close} />}
    </div>
  );
}

function accountText({ payout_method, payout_account, payout_pending_until }: Attributes): string {
  if (payout_method === null) return ADVOCATES.noAccount;
  const text = `${ADVOCATES.methods[payout_method]}: ${payout_account}`;
  if (payout_pending_until === null || payout_pending_until * 1000 < Date.now()) return text;
  return `${text}. ${ADVOCATES.waits(formatMoment(payout_pending_until))}`;
}

interface AccountDialogProps {
  readonly attributes: Attributes;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

const METHODS = [
  ['', ADVOCATES.noMethod],
  ['paypal', ADVOCATES.methods.paypal],
  ['bank', ADVOCATES.methods.bank],
  ['other', ADVOCATES.methods.other],
] as const;

function AccountDialog({ attributes, onClose, onSaved }: AccountDialogProps) {
  const { slug, payout_method, payout_account } = attributes;
  const [method, setMethod] = useState<(typeof METHODS)[number][0]>(payout_method ?? '');
  const [account, setAccount] = useState(payout_account ?? '');
  async function save(): Promise<void> {
    const body =
      method === ''
        ? { payout_method: null, payout_account: null }
        : { payout_method: method, payout_account: account.trim() };
    await api.send('patch', '/v2/advocates/{slug}', { params: { slug }, body });
    tell(ADVOCATES.accountChanged);
    onSaved();
  }
  return (
    <FormDialog title={ADVOCATES.changeAccount} onClose={onClose} onSave={save}>
      <p>
        <bdi>{nameOf(attributes)}</bdi>
      </p>
      <SelectField label={ADVOCATES.method} value={method} options={METHODS} onChange={setMethod} />
      {method !== '' && (
        <TextField label={ADVOCATES.account} maxLength={254} isRequired value={account} onInput={setAccount} />
      )}
    </FormDialog>
  );
}

function EndSessions({ attributes, onClose }: { readonly attributes: Attributes; readonly onClose: () => void }) {
  const name = nameOf(attributes);
  async function end(): Promise<void> {
    await api.send('delete', '/v2/advocates/{slug}/tokens', { params: { slug: attributes.slug } });
    tell(ADVOCATES.sessionsEnded(name));
    onClose();
  }
  return (
    <Confirm title={ADVOCATES.endSessions} onClose={onClose} onConfirm={end}>
      <p>{ADVOCATES.endSessionsAdvice(name)}</p>
    </Confirm>
  );
}

/** Erases after a typed word, and by its button only, as in a dialog. A repeated erasure changes nothing. */
function Erase({ slug, onErased }: { readonly slug: string; readonly onErased: () => void }) {
  const [typed, setTyped] = useState('');
  async function erase(): Promise<void> {
    confirmErasure(typed);
    await api.send('post', '/v2/advocates/{slug}/erase', { params: { slug }, isRepeatable: true });
    tell(ADVOCATES.erasedDone);
    onErased();
  }
  return (
    <section class="erase">
      <h3>{ADVOCATES.eraseTitle}</h3>
      <p class="soft">{ADVOCATES.eraseAdvice}</p>
      <Form onSave={erase} save={COMMON.erase} isDanger isInDialog>
        <TextField label={COMMON.typeErase} value={typed} onInput={setTyped} />
      </Form>
    </section>
  );
}
