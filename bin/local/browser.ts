/** A browser as it names itself: what names itself otherwise is taken for a bot, and its click is ignored. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
