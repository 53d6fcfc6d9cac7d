const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/**
 * Files with one row, as programs write them: the special feature, the file, the upload options, and the recognised
 * format.
 */
export const FILES: [
  what: string,
  file: (email: string) => string | Buffer,
  query: Record<string, string>,
  found: object,
][] = [
  ['a BOM', (email) => `\ufeffemail,name\n${email},A`, {}, { encoding: 'utf-8', delimiter: 'comma' }],
  ['semicolons', (email) => `email;name\n${email};"1;2"`, {}, { delimiter: 'semicolon' }],
  ['quotes', (email) => `"email","na""me"\r\n"${email}","A ""B"",\r\nC"`, {}, { delimiter: 'comma' }],
  ['misplaced quotes', (email) => `email,size\n${email},5" pipe`, {}, { delimiter: 'comma' }],
  ['UTF-16 LE', (email) => utf16(`\ufeffemail\tname\n${email}\tÄ`), {}, { encoding: 'utf-16le', delimiter: 'tab' }],
  [
    'UTF-16 BE',
    (email) => utf16(`\ufeffemail|name\n${email}|Ä`).swap16(),
    {},
    { encoding: 'utf-16be', delimiter: 'pipe' },
  ],
  ['Windows-1252', (email) => Buffer.from(`email,name\n${email},\xc4`, 'latin1'), {}, { encoding: 'windows-1252' }],
  ['a formula', (email) => `email,name\n${email},=cmd|'/c calc'!A1`, {}, { delimiter: 'comma' }],
  [
    'no header',
    (email) => `A,${email}\n`,
    { hasHeader: 'false', mapping: '{"2":"email","1":"firstName"}' },
    { hasHeader: false },
  ],
  [
    'a mapping',
    (email) => `x,y\n${email},A\n`,
    { mapping: '{"X":"email"}' },
    { mapping: [{ field: 'email' }, { field: null }] },
  ],
];
