import { InvalidSetting, isOn, type ReadSetting, readNumber } from './setting-readers.ts';

/** The settings of what load may take and cost. */
export interface LoadSettings {
  /** Concurrent executions that are reserved for clicks; `undefined` if clicks share the function `tracking`. */
  readonly clickConcurrency: number | undefined;
  /** True if there are alarms on refused requests, on clicks, on slow responses and on concurrency. */
  readonly hasAlarms: boolean;
  /** Clicks in an hour that raise an alarm. */
  readonly clicksPerHour: number;
  /** The account's quota of concurrent executions in the region. */
  readonly lambdaQuota: number;
  /** The account's budget and who is told about it; `undefined` without a budget. */
  readonly budget: { readonly dollars: number; readonly topicArn: string } | undefined;
}

/** Reads the settings of load. Throws `InvalidSetting`. */
export function readLoad(read: ReadSetting, isBehindEdge: boolean, topicArn: string | undefined): LoadSettings {
  const dollars = readNumber(read, 'monthlyBudget');
  if (dollars !== undefined && topicArn === undefined) {
    throw new InvalidSetting('monthlyBudget', 'requires "alarmTopicArn"');
  }
  return {
    clickConcurrency: readNumber(read, 'clickConcurrency'),
    hasAlarms: isOn(read, 'loadAlarms', isBehindEdge),
    clicksPerHour: readNumber(read, 'clicksPerHour') ?? 100_000,
    lambdaQuota: readNumber(read, 'lambdaQuota') ?? 1000,
    budget: dollars === undefined || topicArn === undefined ? undefined : { dollars, topicArn },
  };
}
