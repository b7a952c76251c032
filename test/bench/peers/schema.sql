-- The tables of the peer with PostgreSQL. Each list has an index in its order, as https://use-the-index-luke.com and the
-- documentation of PostgreSQL teach (chapters 11.4 and 11.5).
CREATE TABLE advocates (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug text NOT NULL UNIQUE
);
CREATE TABLE tokens (
  hash bytea PRIMARY KEY
);
CREATE TABLE referrals (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  advocate_id bigint NOT NULL REFERENCES advocates,
  email text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'converted' CHECK (state IN ('converted', 'paid', 'churned', 'rejected')),
  sub_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  state_set_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX referrals_by_created_at ON referrals (advocate_id, created_at DESC, id DESC);
CREATE INDEX referrals_by_state ON referrals (advocate_id, state, created_at DESC, id DESC);
