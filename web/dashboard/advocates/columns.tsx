import { CopyButton } from '../../kit/copy.tsx';
import { formatNumber, formatPercentage } from '../../kit/format.ts';
import type { Column } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { ADVOCATES } from '../../words/dashboard-advocates.ts';
import { MONEY } from '../../words/dashboard-money.ts';
import { hrefOf } from '../router.ts';
import { type Advocate, isErased, nameOf } from './advocate.ts';
import type { Numbers } from './numbers.ts';

/** What the buttons of a row do. `undefined` if the token does not allow it. */
export interface RowActions {
  readonly edit: (advocate: Advocate) => void;
  readonly openPage: (advocate: Advocate) => void;
  readonly setActive: (advocate: Advocate, active: boolean) => void;
  readonly endSessions: (advocate: Advocate) => void;
}

/** The buttons of a row, by what the token allows. */
interface Buttons {
  readonly actions: RowActions | undefined;
  readonly adjust: ((advocate: Advocate) => void) | undefined;
}

interface ColumnsOptions extends Buttons {
  /** The numbers of each advocate by slug; `undefined` until they are known. */
  readonly numbers: Numbers | undefined;
  /** The rate of advocates without one of their own. */
  readonly rate: number | null;
}

/** The columns of the list of advocates. */
export function columnsOf({ numbers, rate, ...buttons }: ColumnsOptions): Column<Advocate>[] {
  const count = (field: 'clicks' | 'conversions' | 'paying') => (advocate: Advocate) => {
    const value = numbers?.get(advocate.attributes.slug)?.[field];
    return value === undefined ? ADVOCATES.unknown : formatNumber(value);
  };
  return [
    { name: ADVOCATES.advocate, cell: (advocate) => <Person advocate={advocate} /> },
    {
      name: ADVOCATES.slug,
      cell: ({ attributes: { slug } }) => (
        <a href={hrefOf('referrals', { advocate: slug })}>
          <bdi>{slug}</bdi>
        </a>
      ),
    },
    {
      name: ADVOCATES.rate,
      cell: ({ attributes: { commission_percentage } }) => {
        const own = commission_percentage ?? rate;
        return own === null ? '–' : formatPercentage(own);
      },
      isNumber: true,
    },
    { name: COMMON.clicks, cell: count('clicks'), isNumber: true },
    { name: COMMON.signUps, cell: count('conversions'), isNumber: true },
    { name: COMMON.paying, cell: count('paying'), isNumber: true },
    { name: ADVOCATES.actions, cell: (advocate) => <RowButtons advocate={advocate} {...buttons} /> },
  ];
}

function Person({ advocate }: { readonly advocate: Advocate }) {
  const { attributes } = advocate;
  const name = nameOf(attributes) ?? (isErased(advocate) ? ADVOCATES.erased : attributes.slug);
  return (
    <>
      <bdi>{name}</bdi> {!attributes.active && <span class="badge warn">{ADVOCATES.paused}</span>}
      {attributes.email !== null && attributes.email !== name && <Email email={attributes.email} />}
    </>
  );
}

/** A long email breaks before its host. */
function Email({ email }: { readonly email: string }) {
  const host = email.indexOf('@') + 1;
  return (
    <bdi class="person-line">
      {email.slice(0, host)}
      <wbr />
      {email.slice(host)}
    </bdi>
  );
}

/** An erased advocate has a balance, but no link. */
function RowButtons({ advocate, actions, adjust }: Buttons & { readonly advocate: Advocate }) {
  const { referral_link, active } = advocate.attributes;
  const isHere = !isErased(advocate);
  return (
    <div class="buttons row">
      {isHere && <CopyButton text={referral_link} label={ADVOCATES.copyLink} />}
      {isHere && actions && (
        <>
          <button type="button" onClick={() => actions.openPage(advocate)}>
            {ADVOCATES.openPage}
          </button>
          <button type="button" onClick={() => actions.edit(advocate)}>
            {ADVOCATES.edit}
          </button>
          <button type="button" class="quiet" onClick={() => actions.setActive(advocate, !active)}>
            {active ? ADVOCATES.deactivate : ADVOCATES.activate}
          </button>
          <button type="button" class="quiet" onClick={() => actions.endSessions(advocate)}>
            {ADVOCATES.endSessions}
          </button>
        </>
      )}
      {adjust && (
        <button type="button" class="quiet" onClick={() => adjust(advocate)}>
          {MONEY.adjust}
        </button>
      )}
    </div>
  );
}
