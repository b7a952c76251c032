import { createHash, randomUUID } from 'node:crypto';
import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { PutTransaction } from 'dynamodb-toolbox/entity/actions/transactPut';
import { execute } from 'dynamodb-toolbox/entity/actions/transactWrite';
import { item } from 'dynamodb-toolbox/schema/item';
import { number } from 'dynamodb-toolbox/schema/number';
import { string } from 'dynamodb-toolbox/schema/string';
import { Table } from 'dynamodb-toolbox/table';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';

// Conversions and a list with DynamoDB-Toolbox, as its guide teaches: entities of a single table with one index, and a
// unique email by a second item in the same transaction. Imports are its paths for small bundles.

/** Creates the peer's function, and what stores its samples. */
export function createPeer(tableName, clientOptions = {}) {
  const client = new DynamoDBClient(clientOptions);
  const table = new Table({
    documentClient: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    name: tableName,
    partitionKey: { name: 'pk', type: 'string' },
    sortKey: { name: 'sk', type: 'string' },
    indexes: {
      gsi1: {
        type: 'global',
        partitionKey: { name: 'gsi1pk', type: 'string' },
        sortKey: { name: 'gsi1sk', type: 'string' },
      },
    },
  });
  const token = new Entity({
    name: 'token',
    table,
    schema: item({ hash: string().key(), program: string() }),
    computeKey: ({ hash }) => ({ pk: `TOKEN#${hash}`, sk: 'TOKEN' }),
  });
  const advocate = new Entity({
    name: 'advocate',
    table,
    schema: item({ program: string().key(), slug: string().key(), rate: number() }),
    computeKey: ({ program, slug }) => ({ pk: `PROGRAM#${program}#ADVOCATE#${slug}`, sk: 'ADVOCATE' }),
  });
  const referral = new Entity({
    name: 'referral',
    table,
    schema: item({
      id: string().key(),
      program: string().key(),
      slug: string(),
      email: string().validate((email) => /^[^@\s]+@[^@\s]+$/.test(email)),
      subId: string().optional(),
      state: string().enum('converted', 'paid', 'churned', 'rejected'),
      createdAt: number(),
      stateSetAt: number(),
    }).and(() => ({
      gsi1pk: string().link(({ program, slug }) => advocateKey(program, slug)),
      gsi1sk: string().link(({ createdAt, id }) => `${createdAt}#${id}`),
    })),
    computeKey: ({ program, id }) => ({ pk: `PROGRAM#${program}#REFERRAL#${id}`, sk: 'REFERRAL' }),
  });
  const uniqueEmail = new Entity({
    name: 'uniqueEmail',
    table,
    schema: item({ program: string().key(), email: string().key(), referral: string() }),
    computeKey: ({ program, email }) => ({ pk: `PROGRAM#${program}#EMAIL#${email}`, sk: 'EMAIL' }),
  });

  // Looked up once in 30 seconds, as in the service.
  const callers = new Map();
  const authenticate = async ({ headers }) => {
    const hash = hashOf(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
    const known = callers.get(hash);
    if (known && known.until > Date.now()) return known.program;
    const program = (await token.build(GetItemCommand).key({ hash }).send()).Item?.program;
    if (program) callers.set(hash, { program, until: Date.now() + 30_000 });
    return program;
  };

  const convert = async (program, { email, affiliate_slug: slug, sub_id: subId }) => {
    const { Item } = await advocate.build(GetItemCommand).key({ program, slug }).send();
    if (!Item) return respond(422, { message: 'affiliate_slug is not an advocate.' });
    const now = Math.floor(Date.now() / 1000);
    const id = randomUUID();
    const row = { id, program, slug, email, subId, state: 'converted', createdAt: now, stateSetAt: now };
    const isNew = { condition: { attr: 'program', exists: false } };
    try {
      await execute(
        uniqueEmail.build(PutTransaction).item({ program, email, referral: id }).options(isNew),
        referral.build(PutTransaction).item(row).options(isNew),
      );
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      return respond(409, { message: 'email is already referred.' });
    }
    return respond(201, { data: row });
  };

  const list = async (program, { affiliate_slug: slug }) => {
    const { Items, LastEvaluatedKey } = await table
      .build(QueryCommand)
      .entities(referral)
      .query({ index: 'gsi1', partition: advocateKey(program, slug) })
      .options({ reverse: true, limit: 25 })
      .send();
    return respond(200, { data: Items, next: LastEvaluatedKey });
  };

  return {
    client,
    handler: async (event) => {
      const program = await authenticate(event);
      if (!program) return respond(401, { message: 'The token is not valid.' });
      return event.requestContext.http.method === 'POST'
        ? convert(program, JSON.parse(event.body))
        : list(program, event.queryStringParameters);
    },
    prepare: async (program, slug, bearer) => {
      await token
        .build(PutItemCommand)
        .item({ hash: hashOf(bearer), program })
        .send();
      await advocate.build(PutItemCommand).item({ program, slug, rate: 20 }).send();
    },
  };
}

const advocateKey = (program, slug) => `PROGRAM#${program}#ADVOCATE#${slug}`;
const hashOf = (bearer) => createHash('sha256').update(bearer).digest('hex');
const respond = (statusCode, body) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
