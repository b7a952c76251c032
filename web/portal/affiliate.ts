import type { ResponseBody } from '../kit/api-types.ts';

/** The advocate, its link, its terms and its program. */
export type Affiliate = ResponseBody<'/v2/affiliate', 'get'>['data']['attributes'];
