import { decodeHtml } from './charset';

const latin = (text: string) => Buffer.from(text, 'latin1');

describe('decoded', () => {
  it.each<[string, Buffer, string | undefined, string]>([
    ['UTF-8 without a word', Buffer.from('Grüße'), undefined, 'Grüße'],
    ['the header', latin('Grüße'), 'text/html; charset=ISO-8859-1', 'Grüße'],
    ['a header in quotes', latin('Grüße'), 'text/html; charset="windows-1252"', 'Grüße'],
    ['the page', latin('<meta charset=iso-8859-1>Grüße'), 'text/html', '<meta charset=iso-8859-1>Grüße'],
    [
      'the header before the page',
      Buffer.from('<meta charset=latin1>ü'),
      'text/html;charset=utf-8',
      '<meta charset=latin1>ü',
    ],
    ['an encoding that there is none of', Buffer.from('ü'), 'text/html; charset=klingon', 'ü'],
    ['a byte order mark', Buffer.from('\uFEFFü', 'utf16le'), 'text/html; charset=utf-8', 'ü'],
    [
      'a page that says UTF-16 and is not',
      Buffer.from('<meta charset="utf-16">ü'),
      undefined,
      '<meta charset="utf-16">ü',
    ],
    ['bytes that are none', Buffer.from([0x61, 0xff, 0x62]), undefined, 'a\uFFFDb'],
  ])('decodes by %s', (_by, body, contentType, text) => expect(decodeHtml(body, contentType)).toBe(text));
});
