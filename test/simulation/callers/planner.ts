import { isDeepStrictEqual } from 'node:util';
import type { OracleRule } from '../../support/ledger/rules-oracle.ts';
import type { Member } from '../knowledge.ts';
import { MANY_GROUPS, type Shop } from '../shops.ts';
import { at, type CallerContext, isExpected, post, untilFinal } from './caller.ts';

/** Terms as a request has them. */
interface GivenTerms {
  readonly commission_percentage?: number;
  readonly commission_months?: number | null;
  readonly commission_rules?: readonly OracleRule[];
}

/** Terms of every kind. */
const TERMS: readonly GivenTerms[] = [
  { commission_percentage: 15, commission_months: 3 },
  { commission_percentage: 7.654321, commission_months: null },
  ...[
    [
      { amounts: { eur: 2000, usd: 2500 }, payments: 1 },
      { percentage: 10, months: 12 },
    ],
    [{ percentage: 33.333333, payments: 2 }, { amounts: { jpy: 7 } }],
    [{ percentage: 40, paying_from: 3 }, { percentage: 25, paying_from: 1, payments: 3 }, { percentage: 12.5 }],
    [
      { percentage: 50, months: 1 },
      { amounts: { usd: 1, eur: 10 ** 12 }, months: 2 },
    ],
    [
      { percentage: 0, payments: 1, months: 2 },
      { amounts: { usd: 5, jpy: 3 }, payments: 3, paying_from: 2 },
    ],
  ].map((commission_rules) => ({ commission_rules })),
];
/** Groups that change often. A program has not room for all of them. */
const OFTEN = 5;

type Task = (context: CallerContext, shop: Shop, name: string) => Promise<unknown>;

/** A merchant who sets the terms of a program and its groups, and puts advocates into groups. */
export async function planner(context: CallerContext): Promise<void> {
  const { world, shops, isOver, name, index } = context;
  const tasks = [setProgram, setGroup, setGroup, setGroupTwice, newMember, changeMember, changeMember, read];
  for (let number = 1; !isOver(); number += 1) {
    await world.chance.pick<Task>(tasks)(context, world.chance.pick(shops), `${name}-${index}-${number}-plan`);
    await world.pause(world.chance.below(2000));
  }
}

/** Compares the terms in a response with the terms in its request. */
function noteTerms({ knowledge }: CallerContext, shop: Shop, sent: GivenTerms, body: string): void {
  const { commission_percentage = null, commission_months = null, commission_rules = null } = sent;
  const { attributes } = JSON.parse(body).data;
  const expected = {
    commission_percentage,
    commission_months,
    commission_rules: commission_rules?.map(complete) ?? null,
  };
  const shown = Object.fromEntries(Object.keys(expected).map((name) => [name, attributes[name]]));
  if (!isDeepStrictEqual(shown, expected))
    knowledge.report('rules', `The terms ${JSON.stringify(sent)} became ${body}`);
  if (commission_rules) knowledge.rules.set(`${shop.program.id} ${attributes.commission_rules_id}`, commission_rules);
}

/** A rule as responses contain it. */
const complete = (rule: OracleRule): OracleRule => {
  return { percentage: null, amounts: null, payments: null, months: null, paying_from: null, ...rule };
};

const setProgram: Task = async (context, shop) => {
  const terms = context.world.chance.pick(TERMS);
  const request = post(shop, 'updateProgram', terms);
  const answer = await untilFinal(context, request);
  if (isExpected(context, request, answer, [200])) noteTerms(context, shop, terms, answer.body);
};

const setGroup: Task = async (context, shop) => {
  const { chance } = context.world;
  const { groups } = context.knowledge;
  const name = `group-${chance.happens(0.2) ? chance.below(MANY_GROUPS) : MANY_GROUPS + chance.below(OFTEN)}`;
  const terms = chance.pick([{}, ...TERMS]);
  const request = at(shop, 'putGroup', { name }, { title: shop.mark, ...terms });
  const known = `${shop.program.id} ${name}`;
  const isKnown = groups.has(known);
  const answer = await untilFinal(context, request);
  // Groups are never deleted.
  if (!isExpected(context, request, answer, isKnown ? [200] : [200, 409]) || answer.status === 409) return;
  groups.add(known);
  noteTerms(context, shop, terms, answer.body);
};

const setGroupTwice: Task = (context, ...rest) =>
  Promise.all([setGroup(context, ...rest), setGroup(context, ...rest), setGroup(context, ...rest)]);

/** The name of a group of a program; `null` before there is one. */
function someGroup({ world, knowledge }: CallerContext, { program }: Shop): string | null {
  const names = [...knowledge.groups].flatMap((name) =>
    name.startsWith(program.id) ? [name.split(' ')[1] ?? ''] : [],
  );
  return names.length === 0 || world.chance.happens(0.1) ? null : world.chance.pick(names.slice(-OFTEN));
}

/** Creates an advocate without a rate of its own. */
export async function newMember(context: CallerContext, shop: Shop, slug: string): Promise<Member | undefined> {
  const group = someGroup(context, shop) ?? undefined;
  const fields = { email: `${slug}@partner.example`, slug, uid: slug, company: shop.mark, group };
  const request = post(shop, 'createAdvocate', fields);
  const answer = await untilFinal(context, request);
  // A second attempt conflicts with the first.
  if (!isExpected(context, request, answer, answer.isFirst ? [201] : [201, 409])) return undefined;
  const member = { shop, slug };
  context.knowledge.members.push(member);
  return member;
}

/** Puts an advocate into another group or none. An unknown group is refused. */
const changeMember: Task = async (context, shop) => {
  const { world, knowledge } = context;
  const members = knowledge.members.filter((member) => member.shop === shop);
  if (members.length === 0) return;
  const { slug } = world.chance.pick(members);
  const group = world.chance.happens(0.1) ? 'nowhere' : someGroup(context, shop);
  const request = at(shop, 'updateAdvocate', { slug }, { group });
  const answer = await untilFinal(context, request);
  if (!isExpected(context, request, answer, [group === 'nowhere' ? 400 : 200]) || answer.status === 400) return;
  const shown = JSON.parse(answer.body).data.attributes.group;
  if (shown !== group) knowledge.report('rules', `The member ${slug} of ${group} became one of ${shown}`);
};

/** Lists the groups, and reads rules. */
const read: Task = async (context, shop) => {
  const { world, knowledge } = context;
  const { id } = shop.program;
  const acknowledged = [...knowledge.groups].filter((name) => name.startsWith(id));
  const list = at(shop, 'listGroups', {});
  const listed = await untilFinal(context, list);
  if (!isExpected(context, list, listed, [200])) return;
  const names = new Set(JSON.parse(listed.body).data.map((group: { id: string }) => `${id} ${group.id}`));
  const lost = acknowledged.find((name) => !names.has(name));
  if (lost !== undefined) knowledge.report('rules', `The list of groups lacks ${lost}`);
  const [name, rules] = world.chance.pick([...knowledge.rules, ['unknown unknown', null] as const]);
  const [program, rules_id = ''] = name.split(' ');
  const isOwn = world.chance.happens(0.5);
  const request = isOwn
    ? { ...at(shop, 'getOwnCommissionRules', { rules_id }), token: shop.affiliateTokens[0] }
    : at(shop, 'getCommissionRules', { rules_id });
  const answer = await untilFinal(context, request);
  // Other programs may have the same rules.
  if (!isExpected(context, request, answer, program === id ? [200] : [200, 404]) || answer.status === 404) return;
  const shown = JSON.parse(answer.body).data.attributes.rules;
  if (!isDeepStrictEqual(shown, rules?.map(complete)))
    knowledge.report('rules', `The rules ${name} are ${answer.body}`);
};
