import { getFirstName, getFullName } from './first-name';

const of = (displayName: string | null, address = 'x@y.test') => ({ displayName, address });

describe('the first name for a greeting', () => {
  it.each([
    ['Anna Schmidt', 'Anna'],
    ['Schmidt, Anna', 'Anna'],
    ['Schmidt, Dr. Anna', 'Anna'],
    ['Dr. Anna Schmidt', 'Anna'],
    ['Prof. Dr. Jörg Müller', 'Jörg'],
    ['ANNA-LENA SCHMIDT', 'Anna-Lena'],
    ['anna', 'Anna'],
    ['"Anna" (Acme GmbH)', 'Anna'],
    ['Anna Schmidt, PhD, MBA', 'Anna'],
    ['Anna Schmidt, Acme', 'Anna'],
    ['D’Arcy McKee', 'D’Arcy'],
    ['李明', '李明'],
  ])('of %j is %s', (displayName, name) => {
    expect(getFirstName(of(displayName))).toBe(name);
  });

  it.each([
    ['anna.schmidt@x.test', 'Anna'],
    ['anna_schmidt@x.test', 'Anna'],
    ['Anna85@x.test', 'Anna'],
    ['anna+warm@x.test', 'Anna'],
    ['jsmith@x.test', null],
    ['a.schmidt@x.test', null],
    ['annalenaschmidt@x.test', null],
    ['info@x.test', null],
    ['sales.emea@x.test', null],
    ['jean.support@x.test', null],
    ['7531@x.test', null],
    ['', null],
  ])('of the address %s alone is %s', (address, name) => {
    expect(getFirstName(of(null, address))).toBe(name);
    expect(getFirstName(of('  ', address))).toBe(name);
  });

  it.each(['Sales Team', 'Acme GmbH', 'Support', 'Anna from Acme Marketing'])('is absent in %j', (displayName) => {
    expect(getFirstName(of(displayName, 'anna.schmidt@x.test'))).toBeNull();
  });

  it.each(['https://evil.test', '{{firstName}}', '<b>Anna</b>', 'J. Smith', '$& $1', `A${'n'.repeat(30)}a`])(
    'is taken from the address when %j is not a name',
    (displayName) => {
      expect(getFirstName(of(displayName, 'anna.schmidt@x.test'))).toBe('Anna');
    },
  );

  it('comes from the address when the display name is an address', () => {
    expect(getFirstName(of('anna.schmidt@x.test', 'anna.schmidt@x.test'))).toBe('Anna');
  });
});

describe('the full name', () => {
  it.each([
    ['Anna Schmidt', 'Anna Schmidt'],
    ['Schmidt, Anna', 'Anna Schmidt'],
    ['Dr. anna maria schmidt', 'Anna Maria Schmidt'],
    ['Sanne de Vries', 'Sanne de Vries'],
    ['Jean DUPONT', 'Jean Dupont'],
    ['Anna', null],
    ['Sales Team', null],
    ['Anna Schmidt from Acme', null],
    [null, null],
  ])('of %j is %j', (displayName, name) => {
    expect(getFullName(of(displayName))).toBe(name);
  });
});
