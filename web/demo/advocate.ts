import { byId } from './dom.ts';

const { slug = '', name = '' } = byId('advocate', HTMLElement).dataset;
const [firstName = ''] = name.split(' ');

/** The advocate whose referrals the panel shows. */
export const ADVOCATE = {
  slug,
  name,
  firstName,
  /** The link that she shares. In the demo it leads to this page. */
  link: new URL(`/demo?via=${slug}`, location.href).href,
};
