import { describe, expect, test } from '@jest/globals';
import { tagsOf } from '../../../bin/admin/doctor/page/embedding.ts';

/** The elements of a page, without the elements that a browser adds to every page. */
const read = (html: string) =>
  tagsOf(html)
    .filter(({ name }) => !['html', 'head', 'body'].includes(name))
    .map(({ name, attributes, text }) => [name, Object.fromEntries(attributes), text]);
const namesIn = (html: string) => read(html).map(([name]) => name);

describe('tags of a page', () => {
  test.each([
    ['quotes', `<a b="1 > 0" c='"' d>`, { b: '1 > 0', c: '"', d: '' }],
    ['no quotes', '<a href=https://a.example/b?c=d e=/f/>', { href: 'https://a.example/b?c=d', e: '/f/' }],
    ['capitals', '<A HREF="X" Data-PK=y>', { href: 'X', 'data-pk': 'y' }],
    ['white space and line breaks', '<a\n\tb = "1"\f c\r= 2 / d>', { b: '1', c: '2', d: '' }],
    ['the same attribute twice', '<a b="1" B="2">', { b: '1' }],
    ['no space between attributes', `<a b="1"c='2'>`, { b: '1', c: '2' }],
    ['an equals sign as the start of a name', '<a =b=c>', { '=b': 'c' }],
    ['a value that is missing', '<a b= >', { b: '' }],
    ['character references', '<a b="&amp;&#39;&#x27;&quot;&LT;&copy;&#1114112;">', { b: `&''"<©\ufffd` }],
  ])('attributes are read as by a browser with %s', (_, html, attributes) => {
    expect(read(html)).toEqual([['a', attributes, '']]);
  });

  test.each([
    ['<!-- <script src=a></script> --><p>', ['p']],
    ['<!--><p><!---><p><!--!><a>--><p>', ['p', 'p', 'p']],
    ['<!-- a --!><p><!-- -- > <a>', ['p']],
    ['<!doctype html><?php <p?><p></ a><//><p>', ['p', 'p']],
    ['1 < 2 <3 <-a <p>', ['p']],
    ['<p><b', ['p']],
    ['<p><b a="<i>', ['p']],
  ])('comments and other text contain no tags: %s', (html, names) => {
    expect(namesIn(html)).toEqual(names);
  });

  test('scripts have a text, up to the first end tag in any case', () => {
    const html = `<SCRIPT>if (a < b) c('<p>');</Script ><script src=a /><p></script\n><script>d</scripts></script>`;
    expect(read(html)).toEqual([
      ['script', {}, `if (a < b) c('<p>');`],
      ['script', { src: 'a' }, '<p>'],
      ['script', {}, 'd</scripts>'],
    ]);
  });

  test('scripts may contain a script in a comment, with its end tag', () => {
    const text = '<!--<script src=a></script>';
    expect(read(`<script>${text}</script><p>`)).toEqual([
      ['script', {}, text],
      ['p', {}, ''],
    ]);
  });

  test.each(['style', 'textarea', 'title', 'noscript', 'iframe', 'xmp', 'noembed', 'noframes'])(
    'the content of %s is text',
    (name) => {
      expect(namesIn(`<${name}><script src=a></script></${name}><p>`)).toEqual([name, 'p']);
      expect(namesIn(`<${name}><script src=a></script>`)).toEqual([name]);
    },
  );

  test('templates, which may be nested, contain no active tags', () => {
    expect(namesIn('<template><a><template></template><a></template><p></template><p>')).toEqual([
      'template',
      'p',
      'p',
    ]);
  });
});

test.each([
  '<',
  '<!',
  '<!--',
  '<a',
  '<a ',
  "<a b='",
  '<a b="',
  '<script>',
  '</',
  '<a b=',
  '<title>',
  '<template>',
  ' =',
])('a long page that repeats %j is read in linear time', (part) => {
  const count = Math.ceil((1024 * 1024) / part.length);
  expect(read(part.repeat(count)).length).toBeLessThanOrEqual(count);
  expect(read(`<a ${part.repeat(count)}`).length).toBeLessThanOrEqual(count + 1);
});
