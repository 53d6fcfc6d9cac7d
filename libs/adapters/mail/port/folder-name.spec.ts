import { parseFolderName, findFolder } from './folder-name';

describe('the name of a folder', () => {
  it.each(['Warmup', 'R&D (new) "x" *%', 'Gru\u0308ße', '受信', 'a.b', 'x'.repeat(255)])('can be %j', (name) => {
    expect(parseFolderName(name, '/')).toBe(name.normalize('NFC'));
  });

  it.each([
    ['empty', ''],
    ['blank', ' \u00a0'],
    ['with white space before it', ' Warmup'],
    ['with white space behind it', 'Warmup\t'],
    ['with a line break', 'Warmup\r\nA1 DELETE INBOX'],
    ['with a zero byte', 'War\0mup'],
    ['with a line separator', 'War\u2028mup'],
    ['with half a character', 'War\ud800mup'],
    ['of several levels', 'Clients/Acme'],
    ['too long', 'x'.repeat(256)],
  ])('cannot be %s', (_what, name) => {
    expect(() => parseFolderName(name, '/')).toThrow(
      expect.objectContaining({ failure: 'permanent', stage: 'request' }),
    );
  });

  it('may contain the separator of other servers', () => {
    expect(parseFolderName('Clients/Acme', '.')).toBe('Clients/Acme');
    expect(parseFolderName('Clients/Acme', null)).toBe('Clients/Acme');
  });
});

describe('the folder with a name', () => {
  const folders = ['warmup', 'Warmup', 'Gru\u0308n'].map((name) => ({ name }));

  it('is the exact match, even in another Unicode form', () => {
    expect(findFolder(folders, 'Warmup')).toBe(folders[1]);
    expect(findFolder(folders, 'Grün')).toBe(folders[2]);
  });

  it('is the match without regard to case when there is no exact one', () => {
    expect(findFolder(folders, 'WARMUP')).toBe(folders[0]);
    expect(findFolder(folders, 'GRÜN')).toBe(folders[2]);
    expect(findFolder(folders, 'Warm up')).toBeUndefined();
  });
});
