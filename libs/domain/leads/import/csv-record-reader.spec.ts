import { rounds } from '@testing';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { type CsvRecord, CsvRecordReader, DELIMITERS, type DelimiterName, MAX_RECORD_BYTES } from './csv-record-reader';
import { CsvFormatError } from './import-file.errors';

async function readAll(
  bytes: Buffer,
  size: number,
  delimiter: DelimiterName = 'comma',
  from = 0,
): Promise<CsvRecord[]> {
  const reader = new CsvRecordReader(delimiter, 'utf-8', from);
  const found: CsvRecord[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...(await reader.read(bytes.subarray(at, at + size))));
  return [...found, ...(await reader.end())];
}

const cells = async (text: string): Promise<(readonly string[])[]> =>
  (await readAll(Buffer.from(text), 7)).map((record) => record.cells);

const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '\t', '|', '\n', '\r', "'", '=', ' ', 'ä', '😀', 'a'),
    maxLength: 12,
  }),
);
const file = fc.record({
  rows: fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 12 }),
  delimiter: fc.constantFrom(...(Object.keys(DELIMITERS) as DelimiterName[])),
  quoted: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  size: fc.integer({ min: 1, max: 64 }),
});

/** Writes a CSV file as other programs do. */
function written({
  rows,
  delimiter,
  quoted,
  lineEnd,
}: {
  rows: string[][];
  delimiter: DelimiterName;
  quoted: boolean;
  lineEnd: string;
}) {
  // A line end of another kind than the file's is quoted too, as all programs do.
  const quoted_match = /[\r\n"]/;
  return Buffer.from(
    stringify(rows, {
      delimiter: DELIMITERS[delimiter],
      record_delimiter: lineEnd,
      quoted,
      quoted_empty: true,
      quoted_match,
    }),
  );
}

it('returns each written cell, however the input is divided', async () => {
  await fc.assert(
    fc.asyncProperty(file, async (given) => {
      const records = await readAll(written(given), given.size, given.delimiter);
      expect(records.map((record) => record.cells)).toEqual(given.rows);
    }),
    { numRuns: rounds(300) },
  );
});

it('returns with each record the position at which reading can continue', async () => {
  await fc.assert(
    fc.asyncProperty(file, fc.nat(), async (given, some) => {
      const bytes = written(given);
      const records = await readAll(bytes, given.size, given.delimiter);
      expect(records.at(-1)?.end).toBe(bytes.length);
      const done = some % records.length;
      const { end } = records[done]!;
      const remaining = await readAll(bytes.subarray(end), given.size, given.delimiter, end);
      expect(remaining).toEqual(records.slice(done + 1));
    }),
    { numRuns: rounds(300) },
  );
});

it.each<[what: string, text: string, records: string[][]]>([
  [
    'quotes inside a text',
    'a,5" pipe\n"b ""c""",d',
    [
      ['a', '5" pipe'],
      ['b "c"', 'd'],
    ],
  ],
  [
    'text after a closing quote',
    '"a"b,c\nd,e',
    [
      ['"a"b', 'c'],
      ['d', 'e'],
    ],
  ],
  ['a line end within quotes', '"a\r\nb",c\n', [['a\r\nb', 'c']]],
  ['line ends of all kinds in one file', 'a\r\nb\nc\rd', [['a'], ['b'], ['c'], ['d']]],
  ['records of any number of cells', 'a,b\nc\nd,e,f,', [['a', 'b'], ['c'], ['d', 'e', 'f', '']]],
  ['blank lines', 'a\n\n\nb\n', [['a'], [''], [''], ['b']]],
  ['formulas', "=cmd|'/c calc'!A1,+1,-1,@x", [["=cmd|'/c calc'!A1", '+1', '-1', '@x']]],
])('reads %s unchanged', async (_what, text, records) => {
  expect(await cells(text)).toEqual(records);
});

it('reads Windows-1252 with all its characters', async () => {
  const reader = new CsvRecordReader('semicolon', 'windows-1252');
  const found = await reader.read(Buffer.from('M\xfcller;\x80 \x93x\x94\n', 'latin1'));
  const [record] = [...found, ...(await reader.end())];
  expect(record!.cells).toEqual(['Müller', '€ “x”']);
});

it('refuses a record of more than 128 KB, and returns those before it', async () => {
  const reader = new CsvRecordReader('comma', 'utf-8');
  const text = `a,b\nc,"${'x'.repeat(MAX_RECORD_BYTES + 10)}`;
  await expect(reader.read(Buffer.from(text))).rejects.toThrow(CsvFormatError);
  expect(reader.takeRemaining().map((record) => record.cells)).toEqual([['a', 'b']]);
});

it('refuses a file that ends within quotes, and returns the records before', async () => {
  const reader = new CsvRecordReader('comma', 'utf-8');
  const found = await reader.read(Buffer.from('a,b\nc,"d\ne,f\n'));
  await expect(reader.end()).rejects.toThrow(/opened and never closed/);
  expect([...found, ...reader.takeRemaining()].map((record) => record.cells)).toEqual([['a', 'b']]);
});
