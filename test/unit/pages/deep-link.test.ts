import { describe, expect, test } from '@jest/globals';
import { deepLink, type LinkFault } from '../../../web/portal/deep-link.ts';

const RULES = { slug: 'jane-doe', siteUrl: 'https://www.acme.example/start', linkParameter: 'via' };
const link = (page: string, subId = '', rules = RULES) => deepLink(page, subId, rules);

describe('a page of the site', () => {
  test.each([
    ['', 'https://www.acme.example/start?via=jane-doe'],
    ['/pricing', 'https://www.acme.example/pricing?via=jane-doe'],
    ['pricing', 'https://www.acme.example/pricing?via=jane-doe'],
    ['  https://acme.example/a#b ', 'https://acme.example/a?via=jane-doe#b'],
    ['https://blog.acme.example/', 'https://blog.acme.example/?via=jane-doe'],
    ['acme.example/pricing', 'https://acme.example/pricing?via=jane-doe'],
    ['WWW.ACME.EXAMPLE/Pricing', 'https://www.acme.example/Pricing?via=jane-doe'],
    ['/a?x=%20y&flag', 'https://www.acme.example/a?x=%20y&flag&via=jane-doe'],
    ['/a?via=other&x=1&via=third', 'https://www.acme.example/a?x=1&via=jane-doe'],
    ['/a?v%69a=other', 'https://www.acme.example/a?via=jane-doe'],
    // Not addresses without a scheme, but paths.
    ['index.html', 'https://www.acme.example/index.html?via=jane-doe'],
    ['@jane/a', 'https://www.acme.example/@jane/a?via=jane-doe'],
    ['v1.2/notes', 'https://www.acme.example/v1.2/notes?via=jane-doe'],
    ['/a?%zz=1', 'https://www.acme.example/a?%zz=1&via=jane-doe'],
  ])('%j is linked as %s', (page, expected) => {
    expect(link(page)).toEqual({ link: expected });
  });

  test('the sub id replaces the address’s own, and any text is encoded', () => {
    expect(link('/a?gr_sub=old', 'News & =1 +é')).toEqual({
      link: 'https://www.acme.example/a?via=jane-doe&gr_sub=News%20%26%20%3D1%20%2B%C3%A9',
    });
    expect(link('/a', 'x\ud800')).toEqual({ link: 'https://www.acme.example/a?via=jane-doe&gr_sub=x%EF%BF%BD' });
    expect(link('/a?gr_sub=old')).toEqual({ link: 'https://www.acme.example/a?gr_sub=old&via=jane-doe' });
  });

  test('a site on a port of this machine has pages on this port only', () => {
    const rules = { ...RULES, siteUrl: 'http://localhost:3000/', linkParameter: 'ref' };
    expect(link('/a', '', rules)).toEqual({ link: 'http://localhost:3000/a?ref=jane-doe' });
    expect(link('http://localhost:4000/a', '', rules)).toEqual({ fault: 'otherPort' });
    expect(link('localhost:3000/a', '', rules)).toEqual({ link: 'http://localhost:3000/a?ref=jane-doe' });
  });
});

test.each<[string, LinkFault]>([
  ['https://evil.example/', 'otherSite'],
  ['https://acme.example.evil.example/', 'otherSite'],
  ['https://notacme.example/', 'otherSite'],
  ['//evil.example/', 'otherSite'],
  ['/\\evil.example/', 'otherSite'],
  ['evil.example/pricing', 'otherSite'],
  ['evil.example:443', 'otherSite'],
  ['acme.example@evil.example/', 'credentials'],
  ['jane@acme.example/pricing', 'credentials'],
  ['jane:secret@acme.example', 'credentials'],
  ['https://jane:secret@acme.example/', 'credentials'],
  ['http://acme.example/', 'otherScheme'],
  ['javascript:alert(1)', 'otherScheme'],
  ['data:text/html,x', 'otherScheme'],
  ['https://acme.example:8443/', 'otherPort'],
  ['https://', 'invalid'],
  ['https://a b/', 'invalid'],
])('%j is refused: %s', (page, fault) => {
  expect(link(page)).toEqual({ fault });
});
