import { type ColumnField, assignByHeader, assignByNumber, parseMapping, toVariableName } from './import-columns';

const byHeader = (...headers: string[]): ColumnField[] => assignByHeader(headers, null).map(({ field }) => field);

describe('headers without a mapping', () => {
  it.each<[header: string, field: ColumnField]>([
    ['email', 'email'],
    ['E-Mail', 'email'],
    ['E-mail Address', 'email'],
    ['  EMAIL_ADDRESS: ', 'email'],
    ['E-Mail-Adresse', 'email'],
    ['Courriel', 'email'],
    ['Correo electrónico', 'email'],
    ['Work Email', 'email'],
  ])('%s is the address', (header, field) => {
    expect(byHeader(header)).toEqual([field]);
  });

  it.each<[header: string, field: ColumnField]>([
    ['First Name', 'firstName'],
    ['first_name', 'firstName'],
    ['Given name', 'firstName'],
    ['Vorname', 'firstName'],
    ['Prénom', 'firstName'],
    ['SURNAME', 'lastName'],
    ['Nachname', 'lastName'],
    ['Company', 'companyName'],
    ['Organization Name', 'companyName'],
    ['Firma', 'companyName'],
    ['Title', 'jobTitle'],
    ['Phone Number', 'phone'],
    ['Telefon', 'phone'],
    ['Company URL', 'website'],
    ['LinkedIn Profile', 'linkedinUrl'],
    ['Stadt', 'city'],
    ['País', 'country'],
    ['Time zone', 'timezone'],
  ])('%s becomes %s', (header, field) => {
    expect(byHeader('Email', header)).toEqual(['email', field]);
  });

  it.each([
    ['Umsatz (2024)', 'umsatz2024'],
    ['COMPANY SIZE', 'companySize'],
    ['companySize', 'companySize'],
    ['last seen at', 'lastSeenAt'],
    ['Größe', 'größe'],
    ['2024 revenue', '2024Revenue'],
    ['a'.repeat(100), 'a'.repeat(60)],
  ])('%s becomes a variable with a derived name', (header, name) => {
    expect(toVariableName(header)).toBe(name);
    expect(byHeader('Email', header)[1]).toBe(`variables.${name}`);
  });

  it('omits columns whose header has no letter and no digit', () => {
    expect(byHeader('Email', '', '€€', ' - ')).toEqual(['email', null, null, null]);
  });

  it('numbers further columns of the same name, without collisions', () => {
    expect(byHeader('Email', 'E-Mail', 'First name', 'Vorname', 'Note', 'note', 'constructor', 'Sender name')).toEqual([
      'email',
      'variables.eMail',
      'firstName',
      'variables.vorname',
      'variables.note',
      'variables.note2',
      'variables.constructor2',
      'variables.senderName2',
    ]);
  });

  it('are refused if none is an address, with a list of the headers', () => {
    expect(() => byHeader('Name', 'Web')).toThrow(
      /email address; name it in mapping, as .*; the columns are "Name", "Web"/,
    );
  });

  it('are refused beyond 200 columns, and beyond 50 variables', () => {
    const many = Array.from({ length: 200 }, (_none, index) => `c${index}`);
    expect(() => byHeader('Email', ...many)).toThrow('The file has 201 columns; at most 200');
    expect(() => byHeader('Email', ...many.slice(0, 51))).toThrow(/51 columns would become variables/);
    expect(byHeader('Email', ...many.slice(0, 50))).toHaveLength(51);
  });
});

describe('a mapping', () => {
  const mapping = (given: object) => parseMapping(JSON.stringify(given));

  it('names columns by header, in any case, and omits the others', () => {
    const columns = assignByHeader(
      ['Kontakt', 'Company', ' Umsatz '],
      mapping({ kontakt: 'email', UMSATZ: 'variables.revenue' }),
    );
    expect(columns.map(({ field }) => field)).toEqual(['email', null, 'variables.revenue']);
  });

  it('names columns of a file without a header by number', () => {
    const columns = assignByNumber(3, mapping({ 2: 'email', 3: 'firstName' }));
    expect(columns.map(({ field }) => field)).toEqual([null, 'email', 'firstName']);
  });

  it.each([
    ['no JSON', '{', /must be a JSON object/],
    ['a list', '["email"]', /must be a JSON object/],
    ['nothing', '{}', /1 to 200 columns/],
    ['a field that there is not', '{"a":"emial"}', /"emial" is not a field; fields are email, timezone, firstName/],
    ['no text', '{"a":5}', /"5" is not the name of a field/],
    ['one field twice', '{"a":"email","b":"email"}', /"b": "email" is already the field of another column/],
    [
      'a variable of a field’s name',
      '{"a":"variables.firstName"}',
      /is a field of the lead, not a variable: set it as firstName/,
    ],
    ['a variable that every object has', '{"a":"variables.__proto__"}', /is not an allowed name: it is reserved/],
    ['a variable with a blank', '{"a":"variables.a b"}', /letters, digits/],
  ])('is refused with %s', (_what, json, message) => {
    expect(() => parseMapping(json)).toThrow(message);
  });

  it.each([
    [
      'a column that the file does not have',
      { Mail: 'email' },
      /column "Mail" that the file does not have; it has "A", "B", "b"/,
    ],
    ['a header that two columns have', { b: 'email' }, /2 columns of the file have this name/],
    ['one column twice', { a: 'email', A: 'firstName' }, /column "A" twice/],
    ['no address', { a: 'firstName' }, /No column of the file is recognised as the email address/],
  ])('is refused if it names %s', (_what, given, message) => {
    expect(() => assignByHeader(['A', 'B', 'b'], mapping(given))).toThrow(message);
  });

  it.each(['0', '4', '01', 'Email'])(
    'is refused if it names column %s of a file with three columns and no header',
    (key) => {
      expect(() => assignByNumber(3, mapping({ [key]: 'email' }))).toThrow(/numbered 1 to 3/);
    },
  );

  it('is required for a file without a header', () => {
    expect(() => assignByNumber(3, null)).toThrow(/needs a mapping by column number/);
  });
});
