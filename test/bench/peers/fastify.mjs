import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

// The conversion and the list of the service with Fastify and PostgreSQL, as their guides teach: JSON Schemas for
// requests and responses, a pool, and prepared statements. The list has page numbers by OFFSET. A token is looked up once
// in 30 seconds, as in the service. Prints its address when it is ready.

const LIFETIME = 30_000;
const pool = new pg.Pool({ host: process.env.POSTGRES_FOLDER, user: 'postgres', database: 'postgres' });
const tokens = new Map();

const text = { type: 'string' };
const referral = {
  type: 'object',
  properties: {
    id: text,
    email: text,
    state: text,
    sub_id: { type: ['string', 'null'] },
    created_at: text,
    state_set_at: text,
  },
};
const conversionSchema = {
  body: {
    type: 'object',
    required: ['email', 'affiliate_slug'],
    additionalProperties: false,
    properties: {
      email: { type: 'string', format: 'email', maxLength: 254 },
      affiliate_slug: { type: 'string', minLength: 1, maxLength: 64 },
      sub_id: { type: 'string', maxLength: 100 },
    },
  },
  response: { 201: { type: 'object', properties: { data: referral } } },
};
const listSchema = {
  querystring: {
    type: 'object',
    required: ['affiliate_slug'],
    properties: {
      affiliate_slug: text,
      page: { type: 'integer', minimum: 1, default: 1 },
      per_page: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    },
  },
  response: {
    200: {
      type: 'object',
      properties: { data: { type: 'array', items: referral }, has_more: { type: 'boolean' } },
    },
  },
};

const app = Fastify();

app.addHook('onRequest', async (request, reply) => {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const hash = createHash('sha256').update(token).digest();
  const key = hash.toString('hex');
  if ((tokens.get(key) ?? 0) > Date.now()) return;
  const { rowCount } = await pool.query({
    name: 'token',
    text: 'SELECT FROM tokens WHERE hash = $1',
    values: [hash],
  });
  if (rowCount === 0) return reply.code(401).send({ message: 'The token is not valid.' });
  tokens.set(key, Date.now() + LIFETIME);
});

app.post('/v2/tracking/conversion', { schema: conversionSchema }, async (request, reply) => {
  const { email, affiliate_slug: slug, sub_id: subId = null } = request.body;
  const advocates = await pool.query({
    name: 'advocate',
    text: 'SELECT id FROM advocates WHERE slug = $1',
    values: [slug],
  });
  if (advocates.rowCount === 0) return reply.code(422).send({ message: 'affiliate_slug is not an advocate.' });
  const { rows } = await pool.query({
    name: 'convert',
    text: `INSERT INTO referrals (advocate_id, email, sub_id) VALUES ($1, $2, $3)
      ON CONFLICT (email) DO NOTHING RETURNING id, email, state, sub_id, created_at, state_set_at`,
    values: [advocates.rows[0].id, email, subId],
  });
  if (rows.length === 0) return reply.code(409).send({ message: 'email is already referred.' });
  return reply.code(201).send({ data: rows[0] });
});

app.get('/v2/referrals', { schema: listSchema }, async (request) => {
  const { affiliate_slug: slug, page, per_page: size } = request.query;
  const { rows } = await pool.query({
    name: 'list',
    text: `SELECT id, email, state, sub_id, created_at, state_set_at FROM referrals
      WHERE advocate_id = (SELECT id FROM advocates WHERE slug = $1)
      ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`,
    values: [slug, size + 1, (page - 1) * size],
  });
  return { data: rows.slice(0, size), has_more: rows.length > size };
});

console.log(`Ready on ${await app.listen({ port: 0, host: '127.0.0.1' })}`);
