import * as keys from '../../../functions/kernel/dynamodb/keys.ts';
import { TYPES } from '../callers/designer.ts';
import type { Check } from './evidence.ts';

/** Programs and pictures of different versions, and pictures that are not what their version says. */
export const uploadProblems: Check = function* ({ table }) {
  for (const item of table.items.values()) {
    const id = keys.programInKey(String(item['pk']));
    if (item['sk'] === 'PROGRAM') {
      const logo = table.get({ ...keys.logoKey(id) });
      if (logo?.['logo_version'] !== item['logo_version'])
        yield `The program ${id} has the logo ${item['logo_version']}, and the picture ${logo?.['logo_version']}`;
    }
    if (item['sk'] === 'LOGO' && TYPES.get(String(item['logo_version'])) !== item['media_type'])
      yield `The picture ${item['logo_version']} is stored as ${item['media_type']}`;
  }
};
