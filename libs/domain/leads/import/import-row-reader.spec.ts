import { assignByHeader } from './import-columns';
import { ImportRowReader } from './import-row-reader';

const reader = new ImportRowReader(assignByHeader(['Name', 'Email', 'Vorname', 'Zeitzone', 'Note'], null));

it('converts a row to a lead, with trimmed values and without empty ones', () => {
  expect(reader.read([' A ', ' ada@example.com ', ' Ada ', '', ' '])).toEqual({
    lead: { email: 'ada@example.com', firstName: 'Ada', variables: { name: 'A' } },
  });
});

it('leaves formulas as text', () => {
  expect(reader.read(['=1+1', 'a@b.de', "=cmd|'/c calc'!A1"])).toMatchObject({
    lead: { firstName: "=cmd|'/c calc'!A1", variables: { name: '=1+1' } },
  });
});

it.each([
  ['ends before the address', ['A'], 'missing_columns', 'the row has 1 of 5 columns and ends before the address'],
  ['has a value beyond the last column', ['A', 'a@b.de', '', '', '', 'x'], 'extra_columns', /6 columns, the file 5/],
  [
    'has a name that is too long',
    ['A', 'a@b.de', 'x'.repeat(201)],
    'invalid_value',
    /firstName must be a text of at most 200/,
  ],
  [
    'has a variable that is too long',
    ['A', 'a@b.de', '', '', 'x'.repeat(2_001)],
    'invalid_value',
    /variables.note must be/,
  ],
  ['has an unknown zone', ['A', 'a@b.de', '', 'Europe/Berlim'], 'invalid_value', /timezone must be an IANA/],
])('refuses a row that %s', (_what, cells, reason, detail) => {
  expect(reader.read(cells)).toEqual({ reason, detail: expect.stringMatching(detail) as unknown });
});

it('accepts rows that end after the address, and empty cells beyond the last column', () => {
  expect(reader.read(['A', 'a@b.de'])).toHaveProperty('lead.email', 'a@b.de');
  expect(reader.read(['A', 'a@b.de', '', '', '', '', ' '])).toHaveProperty('lead.email', 'a@b.de');
});

it('does not check the address, which the insertion validates', () => {
  expect(reader.read(['A', '', 'Ada'])).toHaveProperty('lead.email', '');
});
