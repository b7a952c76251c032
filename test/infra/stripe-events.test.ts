import { expect, test } from '@jest/globals';
import { attribute, EXTENDED, synthesize } from './synthesized.ts';

const { stripeEventSource, stripeProgram } = EXTENDED;
const stack = synthesize({ stripeEventSource, stripeProgram });
const [busId, bus] = stack.one('AWS::Events::EventBus');
const [ruleId, { Properties: rule }] = stack.one('AWS::Events::Rule');
const [functionId] = stack.one('AWS::Lambda::Function', 'StripeEventsstripe');
const [queueId] = stack.one('AWS::SQS::Queue');

test('the bus belongs to the partner event source', () => {
  expect(bus.Properties).toMatchObject({ EventSourceName: stripeEventSource, Name: stripeEventSource });
});

test('the rule accepts exactly the events that change a referral or its payments', () => {
  expect(rule).toMatchObject({
    EventBusName: { Ref: busId },
    State: 'ENABLED',
    EventPattern: {
      source: [stripeEventSource],
      'detail-type': [
        'checkout.session.completed',
        'checkout.session.async_payment_succeeded',
        'invoice.paid',
        'invoice_payment.paid',
        'customer.subscription.deleted',
        'charge.refunded',
        'charge.dispute.funds_withdrawn',
        'charge.dispute.funds_reinstated',
      ],
    },
  });
});

test('the rule passes the program and the whole event of Stripe', () => {
  const [target, ...others] = Object(rule['Targets']);
  expect(others).toEqual([]);
  expect(target).toMatchObject({
    Arn: attribute(functionId, 'Arn'),
    InputTransformer: {
      InputPathsMap: { detail: '$.detail' },
      InputTemplate: `{"program":"${stripeProgram}","event":<detail>}`,
    },
  });
});

test('only the rule may call the function', () => {
  const permissions = stack.all('AWS::Lambda::Permission').map(([, { Properties }]) => Properties);
  expect(permissions.filter(({ Principal }) => Principal !== 'apigateway.amazonaws.com')).toEqual([
    {
      Action: 'lambda:InvokeFunction',
      FunctionName: attribute(functionId, 'Arn'),
      Principal: 'events.amazonaws.com',
      SourceArn: attribute(ruleId, 'Arn'),
    },
  ]);
});

test('events that EventBridge cannot deliver, or that the function cannot apply, go to a dead-letter queue', () => {
  const arn = attribute(queueId, 'Arn');
  expect(Object(rule['Targets'])).toEqual([expect.objectContaining({ DeadLetterConfig: { Arn: arn } })]);
  const [, policy] = stack.one('AWS::SQS::QueuePolicy');
  expect(Object(policy.Properties['PolicyDocument']).Statement).toContainEqual(
    expect.objectContaining({
      Effect: 'Allow',
      Action: 'sqs:SendMessage',
      Principal: { Service: 'events.amazonaws.com' },
      Condition: { ArnEquals: { 'aws:SourceArn': attribute(ruleId, 'Arn') } },
    }),
  );
  expect(stack.one('AWS::Lambda::EventInvokeConfig')[1].Properties).toMatchObject({
    FunctionName: { Ref: functionId },
    MaximumRetryAttempts: 2,
    MaximumEventAgeInSeconds: 6 * 3600,
    DestinationConfig: { OnFailure: { Destination: arn } },
  });
});
