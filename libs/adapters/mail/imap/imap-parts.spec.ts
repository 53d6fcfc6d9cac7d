import { getAttachments } from './imap-parts';
import { type Structure } from './imap-commands';

const leaf = (type: string, more: Partial<Structure> = {}): Structure => ({ type, size: 100, ...more });

describe('The attachments of a message', () => {
  it.each([
    ['a text', leaf('text/plain'), []],
    ['a text that is marked', leaf('text/plain', { disposition: 'attachment' }), ['']],
    ['a text with a name', leaf('text/html', { parameters: { name: 'a.html' } }), ['a.html']],
    ['a file and nothing else', leaf('application/pdf', { dispositionParameters: { filename: 'a.pdf' } }), ['a.pdf']],
    ['a picture in the text', leaf('image/png', { disposition: 'inline', id: '<x>' }), ['']],
    ['an empty container', { type: 'multipart/mixed', childNodes: [] }, []],
    ['a container without content', leaf('multipart/mixed'), []],
    ['nonsense', leaf('/'), []],
    ['a name with control characters', leaf('a/b', { parameters: { name: 'a\r\n\0b' } }), ['ab']],
  ])('of %s', (_what, structure, names) => {
    expect(getAttachments(structure).map(({ name }) => name)).toEqual(names);
  });

  it('are numbered through all containers, and an attached message counts as one', () => {
    const structure: Structure = {
      type: 'multipart/mixed',
      childNodes: [
        {
          type: 'multipart/alternative',
          part: '1',
          childNodes: [leaf('text/plain', { part: '1.1' }), leaf('text/calendar', { part: '1.2' })],
        },
        {
          ...leaf('message/rfc822', { part: '2' }),
          childNodes: [leaf('application/pdf', { part: '2.1' })],
        },
        leaf('application/pdf', { part: '3', encoding: 'BASE64', size: 7_800 }),
      ],
    };
    expect(getAttachments(structure)).toEqual([
      { index: 0, name: '', contentType: 'text/calendar', size: 100, part: '1.2', encoding: '' },
      { index: 1, name: '', contentType: 'message/rfc822', size: 100, part: '2', encoding: '' },
      { index: 2, name: '', contentType: 'application/pdf', size: 5_700, part: '3', encoding: 'base64' },
    ]);
  });

  it('are searched to a limited depth', () => {
    let structure = leaf('application/pdf');
    for (let depth = 0; depth < 10_000; depth++) structure = { type: 'multipart/mixed', childNodes: [structure] };
    expect(getAttachments(structure)).toEqual([]);
  });
});
