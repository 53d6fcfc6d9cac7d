import { toTextPart } from './text-part';

describe('textPartOf', () => {
  it.each([
    ['<p>Hi Ada,</p><p>one<br>two</p>', 'Hi Ada,\n\none\ntwo'],
    ['Hi<br>\n<br>\nthere', 'Hi\n\nthere'],
    ['See <a href="https://x.test/?a=1&amp;b=2">our page</a>.', 'See our page [https://x.test/?a=1&b=2].'],
    ['<a href="https://x.test">https://x.test</a>', 'https://x.test'],
    ['<a href="#top">up</a> <a href="mailto:a@x.test">a@x.test</a>', 'up a@x.test'],
    ['a<img src="https://x.test/p.gif" alt="logo">b', 'ab'],
    ['<h1>Offer</h1>R&amp;D &lt;3 caf&eacute;', 'Offer\n\nR&D <3 café'],
    ['<ul><li>one</li><li>two</li></ul>', ' * one\n * two'.trim()],
    [
      '<html><head><title>T</title><style>p{}</style></head><body><script>x</script><p>Hi</p><!-- c --></body></html>',
      'Hi',
    ],
    ['<style>p{color:red}</style><title>T</title><p>Hi</p>', 'Hi'],
    ['', ''],
    ['<img src="x">', ''],
  ])('converts %j to %j', (html, text) => {
    expect(toTextPart(html)).toBe(text);
  });

  it('does not wrap lines, because a wrapped URL is broken', () => {
    const line = 'word '.repeat(400).trim();
    expect(toTextPart(`<p>${line}</p>`)).toBe(line);
  });

  it('limits the size for any input', () => {
    expect(toTextPart('a'.repeat(3_000_000))).toHaveLength(200_000);
    expect(toTextPart(`${'<div>'.repeat(100_000)}deep`)).toBe('');
    expect(toTextPart(`${'a'.repeat(199_999)}😀`)).toBe(`${'a'.repeat(199_999)}\uFFFD`);
  });
});
