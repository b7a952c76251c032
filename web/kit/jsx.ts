/** What the build of the pages puts into the place of JSX. */
export { Fragment, h } from 'preact';
