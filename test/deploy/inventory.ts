import { type AwsResponse, callJson, callQuery, callRest, elements, succeeded } from './aws.ts';

/** Lists everything of the account that a stack could leave behind, as `<kind> <name>`, sorted. */
export async function inventory(): Promise<string[]> {
  const named = async (kind: string, call: Promise<AwsResponse>, list: string, name?: string) => {
    const { json } = await succeeded(call);
    // A missing list is an empty one.
    const found: readonly (string & Record<string, string>)[] = json[list] ?? [];
    return found.map((one) => `${kind} ${name === undefined ? one : one[name]}`);
  };
  const inXml = async (kind: string, call: Promise<AwsResponse>, element: string) =>
    elements(await call, element).map((name) => `${kind} ${name}`);
  const found = await Promise.all([
    named('table', callJson('dynamodb', 'ListTables', {}), 'TableNames'),
    named('queue', callJson('sqs', 'ListQueues', {}), 'QueueUrls'),
    named('bus', callJson('events', 'ListEventBuses', {}), 'EventBuses', 'Name'),
    named('parameter', callJson('ssm', 'DescribeParameters', { MaxResults: 50 }), 'Parameters', 'Name'),
    named('log group', callJson('logs', 'DescribeLogGroups', {}), 'logGroups', 'logGroupName'),
    named('function', callRest('lambda', 'GET /2015-03-31/functions'), 'Functions', 'FunctionName'),
    named('event source', callRest('lambda', 'GET /2015-03-31/event-source-mappings'), 'EventSourceMappings', 'UUID'),
    named('api', callRest('apigateway', 'GET /v2/apis'), 'items', 'name'),
    inXml('alarm', callQuery('monitoring', 'DescribeAlarms'), 'AlarmName'),
    inXml('dashboard', callQuery('monitoring', 'ListDashboards'), 'DashboardName'),
    inXml('role', callQuery('iam', 'ListRoles'), 'RoleName'),
  ]);
  return found.flat().toSorted();
}
