import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { App, CfnResource, Stack } from 'aws-cdk-lib/core';
import { EDGE_DOMAIN, EXTENDED, OPERATIONS, PRODUCTION, synthesize, synthesizeEdge } from './synthesized.ts';

// jest.config.ts turns CDK's validation off, because it takes seconds for each template. This file needs it.
delete process.env['CDK_VALIDATION'];

test.each([
  ['dev', {}],
  ['prod', PRODUCTION],
  ['prod, with a domain that is managed elsewhere', { ...PRODUCTION, hostedZoneId: '' }],
  ['dev, with events of Stripe', { ...EXTENDED, events: 'off' }],
])('CDK finds no errors in the template of the stage: %s', (_, context) => {
  expect(() => synthesize(context)).not.toThrow();
});

test.each([
  ['without a domain', {}],
  ['with a domain', EDGE_DOMAIN],
  ['with a certificate of the app', { ...EDGE_DOMAIN, certificateArn: '' }],
  ['with all settings', { ...EDGE_DOMAIN, ...OPERATIONS, events: 'on' }],
])('CDK finds no errors in the templates of the edge %s', (_, context) => {
  expect(() => synthesizeEdge(context)).not.toThrow();
});

test('CDK would find an invalid property', () => {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const stack = new Stack(new App({ context }), 'Stack');
  new CfnResource(stack, 'Queue', { type: 'AWS::SQS::Queue', properties: { VisibilityTimeout: 'long' } });
  expect(() => Template.fromStack(stack)).toThrow("is not of type 'integer'");
});
