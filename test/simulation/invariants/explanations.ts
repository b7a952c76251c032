import type { Verdict } from '../../../functions/explain/rules/verdicts.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import type { OwnCustomer } from '../knowledge.ts';
import type { Evidence } from './evidence.ts';
import { storedEntries } from './ledger.ts';
import { rowsOf } from './rows.ts';

/** One of so many customers is asked about. */
const SAMPLE = 7;

/** Compares explanations with what the callers were told. Returns a sentence for each difference. */
export async function* explanationProblems(evidence: Evidence): AsyncGenerator<string, void> {
  const { shops, knowledge, table } = evidence;
  const entries = Map.groupBy(storedEntries(table), ({ entry }) => entry.referralId);
  const rows = new Map(rowsOf(table).map(({ referral }) => [referral.id, referral]));
  for (const customer of knowledge.own.filter(({ busy }, index) => !busy && index % SAMPLE === 0)) {
    const { shop, id } = customer;
    for (const [question, verdicts] of questionsAbout(customer, verdictsOf(customer, rows.get(id), entries.get(id)))) {
      const { verdict, referral_id } = await explained(evidence, shop, question);
      const isRight = verdicts === NOBODY ? referral_id !== id : referral_id === id && verdicts.includes(verdict);
      if (!isRight) yield `${id} in ${shop.mark} is ${verdict} by ${Object.keys(question)} instead of ${verdicts}`;
    }
  }
  for (const shop of shops) {
    const { verdict } = await explained(evidence, shop, { uid: 'never seen~' });
    if (verdict !== 'not_seen') yield `A customer whom ${shop.mark} never reported is ${verdict}`;
  }
}

type Verdicts = readonly Verdict[];
/** Whoever has the email or the uid of an erased person now is another customer. */
const NOBODY: Verdicts = [];

/** Returns questions, and the verdicts that can be true. */
function questionsAbout(customer: OwnCustomer, verdicts: Verdicts): (readonly [object, Verdicts])[] {
  const { id, email, uid, slug, erased } = customer;
  const persons = [email === null ? [] : [{ email }], uid === null ? [] : [{ uid }]].flat();
  return [
    [{ id }, erased ? ['erased'] : verdicts],
    [{ id, affiliate_slug: `not-${slug}`.slice(0, 64) }, [erased ? 'erased' : 'other_advocate']],
    ...persons.map((person) => [person, erased ? NOBODY : verdicts] as const),
  ];
}

/** The verdicts that can be true of a customer, by its newest payment. Payments of one second have no order. */
function verdictsOf(
  { state }: OwnCustomer,
  referral: Referral | undefined,
  entries: ReturnType<typeof storedEntries> = [],
): Verdicts {
  if (state === 'rejected') return ['rejected'];
  const payments = entries.map(({ entry }) => entry).filter(({ kind }) => kind === 'payment');
  const newest = Math.max(...payments.map(({ createdAt }) => createdAt));
  const notes = payments.filter(({ createdAt }) => createdAt === newest).map(({ note }) => note);
  if (notes.length > 0) return notes.map((note) => (note ?? 'credited') as Verdict);
  const hasTerms = referral?.commissionPercentage !== null || referral.commissionRulesId !== null;
  return !hasTerms ? ['no_rate'] : ['credited', 'ended'];
}

interface Explained {
  readonly verdict: Verdict;
  readonly referral_id: string | null;
}

async function explained(
  { service }: Pick<Evidence, 'service'>,
  shop: OwnCustomer['shop'],
  question: object,
): Promise<Explained> {
  const body = JSON.stringify(question);
  const response = await service.call({ operation: 'explainCustomer', shop, token: shop.programToken, body });
  return JSON.parse(response?.body ?? '').data.attributes;
}
