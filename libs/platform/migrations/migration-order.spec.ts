import { type Migration } from './migration';
import { getMigrationFault, requireOrder, compareMigrations } from './migration-order';

function migration(name: string, isRequired = true): Migration {
  return { name, why: 'For a test.', isRequired, left: () => Promise.resolve(0), run: () => Promise.resolve(0) };
}

const FIRST = migration('0001-first');
const SECOND = migration('0002-second-step');
const OPTIONAL = migration('0003-third', false);
const KNOWN = [FIRST, SECOND, OPTIONAL];

describe('the migration status of a database', () => {
  it.each([
    ['none', [], { applied: [], pending: KNOWN, unknown: [] }],
    ['some', ['0001-first'], { applied: ['0001-first'], pending: [SECOND, OPTIONAL], unknown: [] }],
    [
      'a migration out of order',
      ['0002-second-step'],
      { applied: ['0002-second-step'], pending: [FIRST, OPTIONAL], unknown: [] },
    ],
    [
      'a migration of a later release',
      ['0009-later', '0001-first'],
      { applied: ['0001-first'], pending: [SECOND, OPTIONAL], unknown: ['0009-later'] },
    ],
  ])('compares the known migrations with a database that has %s', (_what, applied, stand) => {
    expect(compareMigrations(KNOWN, applied)).toEqual(stand);
  });

  it.each([
    [
      'required migrations are missing',
      ['0002-second-step'],
      /^The database belongs to an older release: the migrations 0001-first have to run first/,
    ],
    [
      'a later release has migrated it',
      ['0001-first', '0009-later'],
      /^The database belongs to a newer release: this release does not know its migrations 0009-later/,
    ],
  ])('prevents the start when %s', (_what, applied, words) => {
    expect(getMigrationFault(compareMigrations(KNOWN, applied))).toMatch(words);
  });

  it('allows the start when only optional migrations are missing', () => {
    expect(getMigrationFault(compareMigrations(KNOWN, ['0001-first', '0002-second-step']))).toBeNull();
  });
});

describe('the migrations of a release', () => {
  it.each([[['0001-first', '0003-third']], [['0002-second']], [['1-first']], [['0001_first']], [['0001-First']]])(
    'are rejected with the names %j',
    (names) => {
      expect(() => requireOrder(names.map((name) => migration(name)))).toThrow(/is not named \d{4}-what-it-does/);
    },
  );

  it('are accepted with consecutive numbers', () => {
    expect(() => requireOrder(KNOWN)).not.toThrow();
  });
});
