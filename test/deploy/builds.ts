import type { Build, Request, World } from './world.ts';

/** The id of nothing. */
export const UNKNOWN = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6078';

/** A request with the token of the program, and one without any. */
export const plain: Build = ({ token }) => ({ token });
export const anonymous: Build = () => ({});

/** Builds a request with a body and the token of the program. */
export const post =
  (body: (world: World) => unknown, headers: Request['headers'] = {}): Build =>
  (world) => ({ token: world.token, body: body(world), headers });
