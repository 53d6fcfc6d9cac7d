import { parseMapping } from './import-columns';
import { type HeadOptions, readHead } from './import-head';

const AUTO: HeadOptions = { delimiter: 'auto', hasHeader: true, mapping: null };
const headOf = (text: string, options: Partial<HeadOptions> = {}, whole = true) =>
  readHead(Buffer.from(text), whole, 'utf-8', { ...AUTO, ...options });

const NOT_CLOSED = (row: number) => `Row ${row} of the file has a quote that is opened and never closed`;

it.each([
  ['comma', 'Email,Name\na@b.de,A\n'],
  ['semicolon', 'Email;Name;Umsatz\na@b.de;A;1,5\nc@d.de;C;2,5\n'],
  ['semicolon', '"Email";"Name, first";"x"\n"a@b.de";"A, b";"1,2,3"\n'],
  ['tab', 'Email\tName\na@b.de\tA, B; C\n'],
  ['pipe', 'Email|Name|Note\na@b.de|A|x,y,z\n'],
  ['comma', 'Email\na@b.de\nc@d.de\n'],
  ['comma', 'Email,"Note; long"\na@b.de,"x;y;z;w"\n'],
])('detects that columns are separated by a %s', async (delimiter, text) => {
  await expect(headOf(text)).resolves.toMatchObject({ delimiter });
});

it('uses the given delimiter', async () => {
  const head = await headOf('Email;Name,x\na@b.de;c,d\n', {
    delimiter: 'comma',
    mapping: parseMapping('{"Email;Name":"email"}'),
  });
  expect(head).toMatchObject({ delimiter: 'comma', columns: [{ header: 'Email;Name' }, { header: 'x' }] });
});

it('returns where the rows begin, after blank lines and the header', async () => {
  const text = '\n\r\n;;\nEmail;Ä\nx@y.de;1\n';
  const { start } = await headOf(text);
  expect(start).toEqual({ offset: Buffer.byteLength('\n\r\n;;\nEmail;Ä\n'), row: 4 });
});

it('begins at the first row without a header', async () => {
  const { start, columns } = await headOf('A;x@y.de\n', { hasHeader: false, mapping: parseMapping('{"2":"email"}') });
  expect(start).toEqual({ offset: 0, row: 0 });
  expect(columns.map(({ field }) => field)).toEqual([null, 'email']);
});

it.each([
  ['nothing in it', '', {}, 'The file is empty'],
  ['blanks in it', '\n \r\n,,\n', {}, 'The file is empty'],
  ['a header only', 'Email,Name\n,\n', {}, 'The file has a header and no rows'],
  ['no header', 'ada@example.com,Ada\n', {}, /not a header; send hasHeader=false/],
  ['10 000 columns', `Email,${'c,'.repeat(9_999)}\n`, {}, 'The file has 10001 columns; at most 200'],
  [
    'a first row beyond all bounds',
    `Email,${'column,'.repeat(30_000)}`,
    {},
    /^Row 1 of the file is longer than 128 KB/,
  ],
  ['a quote in its header that is never closed', 'Email,"Name\na@b.de,A\n', {}, NOT_CLOSED(1)],
  ['a quote in its header alone', '"Email', {}, NOT_CLOSED(1)],
  ['a quote in its only row that is never closed', 'Email,Name\na@b.de,"A\n', {}, NOT_CLOSED(2)],
  ['such a row after a blank one', 'Email;Name\n\n"a@b.de;A', {}, NOT_CLOSED(3)],
  ['such a row and one column', 'Email\n"a@b.de\n', {}, NOT_CLOSED(2)],
  [
    'such a row and no header',
    '"a@b.de\n',
    { hasHeader: false, mapping: parseMapping('{"1":"email"}') },
    NOT_CLOSED(1),
  ],
])('refuses a file with %s', async (_what, text, options, message) => {
  await expect(headOf(text, options)).rejects.toThrow(message);
});

it('decides by the beginning of a longer file', async () => {
  const rows = 'a@b.de,"x\ny"\n'.repeat(20_000);
  await expect(headOf(`Email,Name\n${rows}`.slice(0, 200_000), {}, false)).resolves.toMatchObject({
    delimiter: 'comma',
  });
});
