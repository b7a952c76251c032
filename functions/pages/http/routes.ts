import type { Route } from '../../kernel/http/route.ts';

const PAGE = { method: 'GET', head: true, function: 'tracking', access: 'anyone' } as const;

/** The routes of the script, the pages and the text for assistants. A page calls the API with the token of the person who opens it. */
export const PAGE_ROUTES = {
  getScript: {
    method: 'GET',
    path: '/gr.js',
    function: 'tracking',
    access: 'anyone',
    head: true,
    throttle: { rate: 1000, burst: 2000 },
  },
  getPortal: { ...PAGE, path: '/portal', throttle: { rate: 50, burst: 100 } },
  getAccount: { ...PAGE, path: '/account', setting: 'hasEmails', throttle: { rate: 50, burst: 100 } },
  getPortalScript: { ...PAGE, path: '/portal.js', throttle: { rate: 100, burst: 200 } },
  getDashboard: { ...PAGE, path: '/dashboard', throttle: { rate: 10, burst: 40 } },
  getLlmsText: { ...PAGE, path: '/llms.txt', throttle: { rate: 10, burst: 40 } },
} as const satisfies Record<string, Route>;
