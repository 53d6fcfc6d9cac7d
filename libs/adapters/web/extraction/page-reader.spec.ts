import { readPage, type PageReading } from './page-reader';

const read = (html: string): PageReading => {
  const reading = readPage(html);
  if (typeof reading === 'string') throw new Error(reading);
  return reading;
};
const sentence =
  'Acme Rail runs the timetables of forty regional railways and tells passengers the truth about delays.';
const page = (body: string, head = '') =>
  `<!doctype html><html><head><title>Acme</title>${head}</head><body>${body}</body></html>`;

describe('readPage', () => {
  it('reads title, description and paragraphs of a start page, without the frame', () => {
    const html = page(
      `<header><nav><a href="/about">About</a><a href="/login">Log in</a></nav></header>
       <main><section><h1>Timetables that hold</h1><p>${sentence}</p></section>
       <section><h2>For whom</h2><ul><li>Operators</li><li>Agencies</li></ul></section></main>
       <footer>© Acme 2026, all rights reserved</footer>`,
      '<meta name="description" content="Software for railways.">',
    );
    const { title, description, text, links } = read(html);
    expect(title).toBe('Acme');
    expect(description).toBe('Software for railways.');
    expect(text.split('\n')).toEqual(['Timetables that hold', sentence, 'For whom', 'Operators', 'Agencies']);
    expect(links).toEqual(['/about', '/login']);
  });

  it('reads the main part of an article', () => {
    const long = Array.from({ length: 12 }, (_, at) => `<p>${at} ${sentence} ${sentence}</p>`).join('');
    const html = page(
      `<div class="sidebar"><a href="/x">Subscribe to our newsletter</a></div><article>${long}</article>`,
    );
    const { text } = read(html);
    expect(text).toContain(sentence);
    expect(text).not.toContain('newsletter');
  });

  it.each([
    ['a hidden attribute', '<p hidden>SECRET</p>'],
    ['aria-hidden', '<p aria-hidden="TRUE">SECRET</p>'],
    ['display: none', '<p style="color:red; display : NONE">SECRET</p>'],
    ['visibility', '<p style="visibility:hidden">SECRET</p>'],
    ['no opacity', '<p style="opacity:0">SECRET</p>'],
    ['no opacity, to two places', '<p style="opacity: 0.00;">SECRET</p>'],
    ['no size', '<p style="font-size:0px">SECRET</p>'],
    ['no height', '<p style="height:0;overflow:hidden">SECRET</p>'],
    ['a place off the screen', '<p style="position:absolute;left:-9999px">SECRET</p>'],
    ['an indent off the screen', '<p style="text-indent:-999px">SECRET</p>'],
    ['transparent letters', '<p style="color:transparent">SECRET</p>'],
    ['a parent that is hidden', '<div hidden><div><p>SECRET</p></div></div>'],
    ['a comment', '<!-- SECRET -->'],
    ['a comment that never ends', '<!-- SECRET'],
    ['a script', '<script>SECRET</script>'],
    ['a script that never ends', '<script>SECRET'],
    ['a script in capitals', '<SCRIPT>SECRET</SCRIPT >'],
    ['a style sheet', '<style>SECRET</style>'],
    ['noscript', '<noscript>SECRET</noscript>'],
    ['a template', '<template><p>SECRET</p></template>'],
    ['a drawing', '<svg><text>SECRET</text></svg>'],
    ['a dialog that is closed', '<dialog>SECRET</dialog>'],
    ['a field', '<input type="hidden" value="SECRET"><textarea>SECRET</textarea>'],
  ])('does not read text hidden by %s', (_how, hidden) => {
    const { text } = read(page(`<p>${sentence}</p>${hidden}`));
    expect(text).toContain('Acme Rail');
    expect(text).not.toContain('SECRET');
  });

  it.each([
    ['half opacity', '<p style="opacity:0.5">PLAIN SIGHT</p>'],
    ['a small size', '<p style="font-size:0.8em">PLAIN SIGHT</p>'],
    ['a height', '<p style="height:0.5em">PLAIN SIGHT</p>'],
    ['aria-hidden="false"', '<p aria-hidden="false">PLAIN SIGHT</p>'],
    ['an open dialog', '<dialog open>PLAIN SIGHT</dialog>'],
    ['a name that begins like a script', '<scripted-text>PLAIN SIGHT</scripted-text>'],
  ])('reads visible text with %s', (_how, seen) => {
    expect(read(page(`<p>${sentence}</p>${seen}`)).text).toContain('PLAIN SIGHT');
  });

  it('removes invisible characters', () => {
    expect(read(page(`<p>${sentence} Pay\u200b\u2060ment \u{e0041}\u{e0042}terms\u202e</p>`)).text).toContain(
      'Payment terms',
    );
  });

  it('returns the redirect, the canonical URL and the robots directives of the page', () => {
    const head = `<base href="https://acme.test/en/"><link rel="canonical" href="/en/home">
      <meta http-equiv="Refresh" content="0; URL='/start'"><meta name="ROBOTS" content="noindex, nofollow">`;
    expect(read(page(`<p>${sentence}</p><a href="/a">A</a>`, head))).toMatchObject({
      base: 'https://acme.test/en/',
      canonical: '/en/home',
      refresh: '/start',
      isNoindex: true,
      links: [],
    });
  });

  it('returns the links to follow, without fragments of the page', () => {
    const links =
      '<a href="/a">a</a><a href="#b">b</a><a href="/c" rel="sponsored nofollow">c</a><a>d</a><a href=" /e ">e</a>';
    expect(read(page(`<p>${sentence}</p>${links}`)).links).toEqual(['/a', '/e']);
    const many = Array.from({ length: 400 }, (_, at) => `<a href="/${at}">x</a>`).join('');
    expect(read(page(`<p>${sentence}</p>${many}`)).links).toHaveLength(300);
  });

  it('treats pages that differ in digits and blanks only as equal', () => {
    const hashes = ['Events on May 12, 2026', 'Events  on May 13,\n2027', 'Events on June 1'].map(
      (day) => read(page(`<p>${sentence} ${day}</p>`)).hash,
    );
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[0]).not.toBe(hashes[2]);
  });

  it('keeps 40 000 characters', () => {
    expect(read(page(`<p>${'word '.repeat(20_000)}</p>`)).text).toHaveLength(40_000);
  });

  it.each([
    ['an empty page', '', 'no_text'],
    ['an empty frame', page('<div id="app"></div>'), 'no_text'],
    ['201 levels', page(`${'<div>'.repeat(201)}${sentence}`), 'too_complex'],
    ['a million levels', '<b>'.repeat(1_000_000), 'too_complex'],
    ['20 000 tags', page('<i>x</i>'.repeat(10_000)), 'too_complex'],
    ['9 000 pictures', page('<img src="x">'.repeat(9_000)), 'too_complex'],
    ['66 towers of 150 levels', page(`${'<div>'.repeat(150)}x${'</div>'.repeat(150)}`.repeat(66)), 'too_complex'],
    ['a tag of 10 000 characters', page(`<p class="${'>'.repeat(10_000)}">${sentence}</p>`), 'too_complex'],
    ['10 000 entities', page(`<p>${'&#60;'.repeat(10_000)}</p>`), 'too_complex'],
    ['more characters than anybody reads', page(`<p>${'x'.repeat(700_000)}</p>`), 'too_complex'],
  ])('reports why %s cannot be read', (_what, html, reason) => {
    expect(readPage(html)).toBe(reason);
  });

  it.each([
    ['comments in comments', '<!--'.repeat(200_000)],
    ['scripts that never end', '<script>'.repeat(200_000)],
    ['half tags', '<'.repeat(500_000)],
    ['half attributes', page(`<p ${'a="'.repeat(100_000)}`)],
    ['half end tags', page('</a'.repeat(150_000))],
    ['half end tags of a script', `<script>${'</script '.repeat(230_000)}`],
    ['half end tags of each of many scripts', '<script></script '.repeat(110_000)],
    ['declarations', page('<!x>'.repeat(140_000))],
    ['a style of blanks', page(`<p style="display:${' '.repeat(500_000)}x">x</p>`)],
    ['styles of blanks', page(`<p style="display:${' '.repeat(7_000)}x">x</p>`.repeat(70))],
    ['sizes of blanks', page(`<p style="font-size:0${' '.repeat(7_900)}x">x</p>`.repeat(70))],
    ['sizes of noughts', page(`<p style="font-size:0${'0'.repeat(7_900)}x">x</p>`.repeat(70))],
    ['blanks', page(`<p>${' '.repeat(590_000)}x</p>`)],
    ['tables', page('<table><tr><td>x, y</td></tr></table>'.repeat(2_500))],
    ['lists without ends', page(`<ul>${`<li>${sentence}`.repeat(500)}`)],
    ['tables in tables', page(`${'<table><tr><td>'.repeat(90)}${sentence}`)],
    ['2 MB of scripts around a sentence', page(`<script>${'x();'.repeat(500_000)}</script><p>${sentence}</p>`)],
    ['links in links', page(`<p>${sentence}</p>${'<a href="/x">'.repeat(150)}`)],
  ])('terminates with %s', (_what, html) => {
    expect(() => readPage(html)).not.toThrow();
  });
});
