import fc from 'fast-check';
import { toReplyHtml } from './reply-html';

it('converts each block to a paragraph, and keeps its line breaks', () => {
  expect(toReplyHtml('Hello Ada,\r\n\r\nTuesday?\nGrace\n')).toBe('<p>Hello Ada,</p>\n<p>Tuesday?<br>Grace</p>');
});

it('contains no foreign tags for any text', () => {
  expect(toReplyHtml(`<img src=x onerror="a('b')"> & more`)).toBe(
    '<p>&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; more</p>',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(toReplyHtml(text).replace(/<\/?p>|<br>/g, '')).not.toMatch(/[<>"']/);
    }),
  );
});
