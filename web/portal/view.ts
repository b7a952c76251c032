import type { Affiliate } from './service.ts';

/** What each view gets: the advocate, as soon as it is known. */
export interface ViewProps {
  readonly about: Affiliate | undefined;
  /** Takes the advocate that a change returned. */
  readonly onChanged: (about: Affiliate) => void;
}
