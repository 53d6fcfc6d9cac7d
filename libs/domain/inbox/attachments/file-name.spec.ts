import { toSafeFileName, toSafeMediaType } from './file-name';

it.each([
  ['Angebot.pdf', 'Angebot.pdf'],
  ['Überblick März.pdf', 'Überblick März.pdf'],
  ['見積書.xlsx', '見積書.xlsx'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\plan.docx', 'plan.docx'],
  ['a/b/', 'b'],
  ['..', 'attachment'],
  ['', 'attachment'],
  ['   ', 'attachment'],
  ['.bashrc', 'bashrc'],
  ['report.pdf. . ', 'report.pdf'],
  ['a"b<c>d:e|f?g*h.txt', 'a_b_c_d_e_f_g_h.txt'],
  ['evil\r\nSet-Cookie: a=b.txt', 'evilSet-Cookie_ a=b.txt'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['zero\u200bwidth.txt', 'zerowidth.txt'],
  ['half\ud800.txt', 'half.txt'],
  ['two   blanks.txt', 'two blanks.txt'],
  ['CON.txt', '_CON.txt'],
  ['lpt1', '_lpt1'],
  ['console.txt', 'console.txt'],
  ['e\u0301t\u00e9.txt', 'été.txt'],
])('converts the sender’s file name %j to %j', (given, safe) => {
  expect(toSafeFileName(given)).toBe(safe);
});

it('keeps the extension of a long name, and splits no character', () => {
  expect(toSafeFileName(`${'a'.repeat(300)}.pdf`)).toBe(`${'a'.repeat(116)}.pdf`);
  expect(toSafeFileName(`${'a'.repeat(115)}😀${'b'.repeat(50)}.pdf`)).toBe(`${'a'.repeat(115)}.pdf`);
  expect(toSafeFileName('a'.repeat(300))).toHaveLength(120);
  expect(toSafeFileName(`a.${'b'.repeat(300)}`)).toHaveLength(120);
});

it('reads only the end of a name with a megabyte', () => {
  expect(toSafeFileName(`${'secret '.repeat(150_000)}/plan.pdf`)).toBe('plan.pdf');
  for (const piece of [' ', '.', '/', '\\', '. ']) expect(toSafeFileName(piece.repeat(500_000))).toBe('attachment');
});

it.each([
  ['application/pdf', 'application/pdf'],
  ['Image/PNG', 'image/png'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', undefined],
  ['text/html; charset=utf-8', 'application/octet-stream'],
  ['text/html\r\nX-Evil: 1', 'application/octet-stream'],
  ['html', 'application/octet-stream'],
  ['', 'application/octet-stream'],
  ['*/*', 'application/octet-stream'],
])('converts the media type %j to %j', (given, safe = given) => {
  expect(toSafeMediaType(given)).toBe(safe);
});
