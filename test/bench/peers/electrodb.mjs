import { createHash, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Entity, Service } from 'electrodb';

// Conversions and a list with ElectroDB, as its guide teaches: a single table with one index, and a unique email by a
// constraint in the same transaction (https://electrodb.dev/en/mutations/transact-write/).

/** Creates the peer's function, and what stores its samples. */
export function createPeer(tableName, clientOptions = {}) {
  const client = new DynamoDBClient(clientOptions);
  const configuration = { table: tableName, client };
  const model = (entity) => ({ entity, version: '1', service: 'referrals' });
  const key = (...composite) => ({ pk: { field: 'pk', composite }, sk: { field: 'sk', composite: [] } });
  const text = { type: 'string', required: true };

  const token = new Entity(
    { model: model('token'), attributes: { hash: text, program: text }, indexes: { primary: key('hash') } },
    configuration,
  );
  const advocate = new Entity(
    {
      model: model('advocate'),
      attributes: { program: text, slug: text, rate: { type: 'number', required: true } },
      indexes: { primary: key('program', 'slug') },
    },
    configuration,
  );
  const referral = new Entity(
    {
      model: model('referral'),
      attributes: {
        id: text,
        program: text,
        slug: text,
        email: { ...text, validate: /^[^@\s]+@[^@\s]+$/ },
        subId: { type: 'string' },
        state: { type: ['converted', 'paid', 'churned', 'rejected'], required: true },
        createdAt: { type: 'number', required: true },
        stateSetAt: { type: 'number', required: true },
      },
      indexes: {
        primary: key('program', 'id'),
        byAdvocate: {
          index: 'gsi1',
          pk: { field: 'gsi1pk', composite: ['program', 'slug'] },
          sk: { field: 'gsi1sk', composite: ['createdAt', 'id'] },
        },
      },
    },
    configuration,
  );
  const uniqueEmail = new Entity(
    {
      model: model('uniqueEmail'),
      attributes: { program: text, email: text, referral: text },
      indexes: { primary: key('program', 'email') },
    },
    configuration,
  );
  const service = new Service({ token, advocate, referral, uniqueEmail });

  // Looked up once in 30 seconds, as in the service.
  const callers = new Map();
  const authenticate = async ({ headers }) => {
    const hash = hashOf(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
    const known = callers.get(hash);
    if (known && known.until > Date.now()) return known.program;
    const program = (await token.get({ hash }).go()).data?.program;
    if (program) callers.set(hash, { program, until: Date.now() + 30_000 });
    return program;
  };

  const convert = async (program, { email, affiliate_slug: slug, sub_id: subId }) => {
    const { data } = await advocate.get({ program, slug }).go();
    if (!data) return respond(422, { message: 'affiliate_slug is not an advocate.' });
    const now = Math.floor(Date.now() / 1000);
    const id = randomUUID();
    const row = { id, program, slug, email, subId, state: 'converted', createdAt: now, stateSetAt: now };
    const { canceled } = await service.transaction
      .write((entities) => [
        entities.uniqueEmail.create({ program, email, referral: id }).commit(),
        entities.referral.create(row).commit(),
      ])
      .go();
    return canceled ? respond(409, { message: 'email is already referred.' }) : respond(201, { data: row });
  };

  const list = async (program, { affiliate_slug: slug, cursor }) => {
    const { data, cursor: next } = await referral.query
      .byAdvocate({ program, slug })
      .go({ order: 'desc', limit: 25, cursor });
    return respond(200, { data, next });
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
      await token.put({ hash: hashOf(bearer), program }).go();
      await advocate.put({ program, slug, rate: 20 }).go();
    },
  };
}

const hashOf = (bearer) => createHash('sha256').update(bearer).digest('hex');
const respond = (statusCode, body) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
