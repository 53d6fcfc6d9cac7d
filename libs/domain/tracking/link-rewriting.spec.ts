import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { MAX_TRACKED_LINKS, rewriteLinks } from './link-rewriting';

const numbered = (html: string, keep?: ReadonlySet<string>) =>
  rewriteLinks(html, { rewrite: (_url, link) => `https://t.test/?a=1&n=${link}`, keep });

/** The hrefs of anchors as a browser parses them, in tree order. */
function hrefs(html: string): string[] {
  const found: string[] = [];
  const pending: DefaultTreeAdapterMap['node'][] = [parse(html)];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if ('attrs' in node && (node.tagName === 'a' || node.tagName === 'area')) {
      found.push(...node.attrs.filter(({ name }) => name === 'href').map(({ value }) => value));
    }
    if ('childNodes' in node) pending.push(...node.childNodes.toReversed());
  }
  return found;
}

describe('rewriteLinks', () => {
  it.each<[string, string, string[]]>([
    ['<a href="https://x.test">x</a>', '<a href="https://t.test/?a=1&amp;n=0">x</a>', ['https://x.test']],
    [
      "<A CLASS=a HREF = 'HTTP://x.test' id=b>",
      "<A CLASS=a HREF = 'https://t.test/?a=1&amp;n=0' id=b>",
      ['HTTP://x.test'],
    ],
    ['<a href=https://x.test/?a&amp;b>x', '<a href="https://t.test/?a=1&amp;n=0">x', ['https://x.test/?a&b']],
    ['<area href="https://x.test/">', '<area href="https://t.test/?a=1&amp;n=0">', ['https://x.test/']],
    ['<a href="\n https://x.test/a\tb ">', '<a href="https://t.test/?a=1&amp;n=0">', ['https://x.test/ab']],
    [
      '<a href="https://x.test/?q=&quot;&copy=1&#38;&eacute;">',
      '<a href="https://t.test/?a=1&amp;n=0">',
      ['https://x.test/?q="&copy=1&é'],
    ],
    [
      '<a href="https://x.test">1</a><a href="https://x.test">2</a>',
      '<a href="https://t.test/?a=1&amp;n=0">1</a><a href="https://t.test/?a=1&amp;n=1">2</a>',
      ['https://x.test', 'https://x.test'],
    ],
    [
      '<a href="https://x.test" href="https://y.test">',
      '<a href="https://t.test/?a=1&amp;n=0" href="https://y.test">',
      ['https://x.test'],
    ],
    // Browsers close and reopen these elements; each occurs once in the source.
    [
      '<a href="https://x.test"><table><a href="https://y.test">',
      '<a href="https://t.test/?a=1&amp;n=0"><table><a href="https://t.test/?a=1&amp;n=1">',
      ['https://x.test', 'https://y.test'],
    ],
    [
      '<title><a href=x></title><a href="https://x.test">',
      '<title><a href=x></title><a href="https://t.test/?a=1&amp;n=0">',
      ['https://x.test'],
    ],
  ])('changes %j to %j', (html, rewritten, links) => {
    expect(numbered(html)).toEqual({ html: rewritten, links });
  });

  it.each([
    '<a href="mailto:x@y.test">',
    '<a href="tel:+1">',
    '<a href="#top">',
    '<a href="/relative">',
    '<a href="x.test">',
    '<a href="">',
    '<a href>',
    '<a name="x">',
    '<a href="javascript:alert(1)//https://x.test">',
    '<a href="ftp://x.test">',
    '<a href="https://">',
    '<a href="https://[broken/">',
    `<a href="https://x.test/${'a'.repeat(4_096)}">`,
    '<!-- <a href="https://x.test"> -->',
    '<!--[if mso]><a href="https://x.test">x</a><![endif]-->',
    '<style>a::after { content: \'<a href="https://x.test">\' }</style>',
    '<script>"<a href=https://x.test>"</script>',
    '<textarea><a href="https://x.test"></textarea>',
    '<link href="https://x.test"><img src="https://x.test"><base href="https://x.test">',
    '<p title=\'<a href="https://x.test">\'>https://x.test</p>',
    '<a data-href="https://x.test" hrefs="https://x.test">',
    '<a href="https://x.test',
  ])('leaves %j unchanged', (html) => {
    expect(numbered(html)).toEqual({ html, links: [] });
  });

  it('leaves the excluded URLs unchanged', () => {
    const html = '<a href="https://u.test/?a&amp;b">u</a>';
    expect(numbered(html, new Set(['https://u.test/?a&b']))).toEqual({ html, links: [] });
  });

  it('tracks the first hundred links and leaves the others unchanged', () => {
    const { html, links } = numbered('<a href="https://x.test">x</a>'.repeat(MAX_TRACKED_LINKS + 1));
    expect(links).toHaveLength(100);
    expect(html.endsWith('n=99">x</a><a href="https://x.test">x</a>')).toBe(true);
  });

  it('escapes the replacement, so that it cannot leave the attribute', () => {
    const rewrite = () => `https://t.test/"'><b>&amp;`;
    for (const html of ['<a href="https://x.test">', "<a href='https://x.test'>", '<a href=https://x.test>']) {
      expect(hrefs(rewriteLinks(html, { rewrite }).html)).toEqual([`https://t.test/"'><b>&amp;`]);
    }
  });

  const pieces = fc.constantFrom(
    '<a href="https://x.test/?a=1&amp;b=2&copy=3">',
    "<a\r\nhref='http://x.test/é😀'>",
    '<a href=https://x.test/1>',
    '<area href="https://x.test/area">',
    '<a href="mailto:x@y.test">',
    '</a>',
    '<table><tr><td>',
    '</table>',
    '<!-- ',
    ' -->',
    '<style>',
    '</style>',
    '<svg>',
    '"',
    '<p',
    '>',
    '&amp;',
    'é😀\r\n',
    '\r',
    '\0',
  );
  const documents = fc.array(pieces, { maxLength: 30 }).map((all) => all.join(''));

  it('changes no byte when each URL is replaced by itself', () => {
    fc.assert(
      fc.property(documents, (html) => {
        expect(rewriteLinks(html, { rewrite: (url) => url }).html).toBe(html);
      }),
    );
  });

  it('changes only the values of hrefs, and stores the original of each', () => {
    fc.assert(
      fc.property(documents, (html) => {
        const { html: rewritten, links } = rewriteLinks(html, { rewrite: (_url, link) => `https://t.test/${link}/` });
        let restored = rewritten;
        for (const [link, url] of links.entries()) restored = restored.replace(`https://t.test/${link}/`, () => url);
        const values = /=["']?(https?:[^"'>]*)["']?/g;
        expect(restored.replace(values, '')).toBe(html.replace(values, ''));
      }),
    );
    const simple = fc.array(fc.webUrl({ withQueryParameters: true, withFragments: true }), { maxLength: 20 });
    fc.assert(
      fc.property(simple, (urls) => {
        const html = urls
          .map((url) => `<p><a href="${url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">x</a>`)
          .join('');
        const { html: rewritten, links } = rewriteLinks(html, { rewrite: (_url, link) => `https://t.test/${link}` });
        expect(links).toEqual(urls);
        expect(links).toEqual(hrefs(html));
        expect(hrefs(rewritten)).toEqual(urls.map((_url, link) => `https://t.test/${link}`));
      }),
    );
  });
});
