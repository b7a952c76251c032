import type { Api } from '../../kit/api.ts';
import { api } from '../service.ts';
import { fourInTurn } from './in-turn.ts';

const inTurn = fourInTurn();

/** The API for what the view of an advocate reads: its many parts send at most four requests together. */
export const fourApi: Api = { ...api, send: (...request) => inTurn(() => api.send(...request)) };
