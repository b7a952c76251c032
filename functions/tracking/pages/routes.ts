const PAGE = { method: 'GET', head: true, function: 'tracking', access: 'anyone' } as const;

/** The routes of the pages. A page calls the API with the token of the person who opens it. */
export const PAGE_ROUTES = {
  getPortal: { ...PAGE, path: '/portal', throttle: { rate: 50, burst: 100 } },
  getPortalScript: { ...PAGE, path: '/portal.js', throttle: { rate: 100, burst: 200 } },
  getDashboard: { ...PAGE, path: '/dashboard', throttle: { rate: 10, burst: 40 } },
} as const;
