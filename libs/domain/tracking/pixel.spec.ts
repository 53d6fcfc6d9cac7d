import { appendToBody, honeypotHtml, pixelHtml } from './pixel';

describe('appendToBody', () => {
  it.each([
    ['', '+'],
    ['<p>Hi</p>', '<p>Hi</p>+'],
    ['<html><body><p>Hi</p></body></html>', '<html><body><p>Hi</p>+</body></html>'],
    ['<BODY>Hi</BODY\n>\n', '<BODY>Hi+</BODY\n>\n'],
    ['<pre></body></pre></body>', '<pre></body></pre>+</body>'],
    ['<p>Hi<!-- </body> -->', '<p>Hi<!-- </body> -->+'],
    ['<!-- a --><p>İ</p></body>', '<!-- a --><p>İ</p>+</body>'],
    ['</bodyguard>', '</bodyguard>+'],
  ])('adds to %j', (html, expected) => {
    expect(appendToBody(html, '+')).toBe(expected);
  });
});

describe('the invisible elements', () => {
  it('are an image of one pixel without a text and a link outside the tab order', () => {
    expect(pixelHtml('https://t.test/t/o/x.gif')).toMatch(
      /^<img src="https:\/\/t\.test\/t\/o\/x\.gif" width="1" height="1" alt="" style="[^"]+">$/,
    );
    expect(honeypotHtml('https://t.test/t/h/x')).toMatch(
      /^<a href="https:\/\/t\.test\/t\/h\/x" style="display:none" tabindex="-1" aria-hidden="true" rel="nofollow"><\/a>$/,
    );
  });
});
