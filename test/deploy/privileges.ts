import { check } from './checks.ts';
import { type DeployedFunction, type Policy, policyOf, putPolicy, restart } from './roles.ts';

/** Uses everything that a function may do. Resolves to what failed; `undefined` if nothing did. `run` is unique. */
export type Exercise = (run: string) => Promise<string | undefined>;

/** Permissions whose absence nothing shows, and why. */
const NOT_ENFORCED: readonly { readonly actions: RegExp; readonly functions?: string; readonly reason: string }[] = [
  { actions: /^logs:/, reason: 'the emulator writes the logs itself' },
  { actions: /^xray:/, reason: 'the emulator has no X-Ray daemon' },
  {
    actions: /^dynamodb:(?:DescribeStream|GetRecords|GetShardIterator|ListStreams)$/,
    reason: 'the emulator reads the stream itself',
  },
  {
    actions: /^sqs:(?:ReceiveMessage|DeleteMessage|GetQueueAttributes)$/,
    reason: 'the emulator reads the queues itself',
  },
  { actions: /^dynamodb:PutItem$/, functions: 'referrals', reason: 'sums are stored from 50 new entries on' },
  { actions: /^sqs:SendMessage$/, functions: 'stripe', reason: 'the emulator sends failed invocations itself' },
];

/** A permission: an action on a resource, and the policy without it. */
interface Permission {
  readonly action: string;
  readonly resource: string;
  readonly without: Policy;
}

const list = (value: string | readonly string[]) => [value].flat();

/** Splits a policy into its permissions. */
function permissionsOf(policy: Policy): Permission[] {
  return policy.statements.flatMap((statement, index) =>
    list(statement.Action).flatMap((action) =>
      list(statement.Resource).map((resource) => {
        const others = { ...statement, Action: list(statement.Action).filter((one) => one !== action) };
        const elsewhere = {
          ...statement,
          Action: action,
          Resource: list(statement.Resource).filter((one) => one !== resource),
        };
        const rest = [others, elsewhere].filter(({ Action, Resource }) => Action.length > 0 && Resource.length > 0);
        return { action, resource, without: { ...policy, statements: policy.statements.toSpliced(index, 1, ...rest) } };
      }),
    ),
  );
}

/** Takes each permission from a function once. Something must fail each time, and nothing with all permissions. */
export async function needsEachPermission(lambda: DeployedFunction, exercise: Exercise): Promise<void> {
  const { name, roleName } = lambda;
  const policy = await policyOf(roleName);
  const attempt = async (run: string) => {
    await restart(lambda);
    return exercise(`${name}-${run}`);
  };
  await check(`${name} works with all of its permissions`, async () => {
    // Again if it fails, because a busy emulator may exceed the functions' limits for DynamoDB.
    const failed = (await attempt('all')) && (await attempt('again'));
    if (failed !== undefined) throw new Error(failed);
  });
  const isEnforced = ({ action }: Permission) =>
    !NOT_ENFORCED.some(({ actions, functions = name }) => functions === name && actions.test(action));
  for (const [index, { action, resource, without }] of permissionsOf(policy).filter(isEnforced).entries()) {
    // Without account, region, the name of the stack and generated characters.
    const short = resource
      .replace(/^(?:[^:]*:){5}/, '')
      .replace(/referral-tracking-[a-z]+-(\w+?)[0-9A-F]{8}-\w+/, '$1');
    await check(`${name} fails without ${action} on ${short}`, async () => {
      await putPolicy(roleName, without);
      try {
        const failed = await attempt(String(index));
        if (failed === undefined) throw new Error('Nothing failed: the function does not need this permission');
      } finally {
        await putPolicy(roleName, policy);
      }
    });
  }
}
