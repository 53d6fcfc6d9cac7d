import { textOf } from './files';

interface Package {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** Ours, in this tree. */
  readonly link?: boolean;
}

type Direct = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;

/** Licences that the platform may be built on, by their SPDX names. */
const ALLOWED = new Set([
  'MIT', 'MIT-0', 'ISC', 'BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0', 'Unlicense', 'Zlib',
  'Python-2.0', 'CC0-1.0', 'CC-BY-4.0', 'MPL-2.0', 'Bitstream-Vera',
]); // prettier-ignore

/** Packages whose manifest does not name what their licence file says. */
const READ: Record<string, string> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  slick: 'MIT',
  'dejavu-fonts-ttf': 'Bitstream-Vera', // everything but selling the fonts alone
};

/** Of `(MIT OR EUPL-1.1+)` we take the one that is allowed; of `A AND B` both have to be. */
function isAllowed(expression: string): boolean {
  const alternatives = expression.replace(/^\(|\)$/g, '').split(' OR ');
  return alternatives.some((one) => one.split(' AND ').every((name) => ALLOWED.has(name)));
}

const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Package> };
const direct = JSON.parse(textOf('package.json')) as Direct;
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);
const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? '';

describe('dependencies', () => {
  it('have, with all that they bring, a licence that is allowed', () => {
    const refused = installed
      .map(([path, { license }]) => ({ path, license: READ[nameOf(path)] ?? license ?? 'none' }))
      .filter(({ license }) => !isAllowed(license));
    expect(refused).toEqual([]);
    expect(installed.length).toBeGreaterThan(1_000);
  });

  it.each([
    ['GPL-3.0-only', false],
    ['AGPL-3.0-or-later', false],
    ['MIT AND GPL-2.0-only', false],
    ['SEE LICENSE IN README.md', false],
    ['none', false],
    ['(MIT OR GPL-2.0-only)', true],
    ['Apache-2.0 AND MIT', true],
  ])('with the licence %s would be allowed: %s', (license, allowed) => {
    expect(isAllowed(license)).toBe(allowed);
  });

  it('are read up where their manifest is silent, and no others are', () => {
    const used = new Set(installed.map(([path]) => nameOf(path)));
    expect(Object.keys(READ).filter((name) => !used.has(name))).toEqual([]);
  });

  it('come with a hash each, from the registry and from nowhere else', () => {
    const others = installed.filter(([, { integrity, resolved }]) => {
      const isElsewhere = resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/');
      return isElsewhere || integrity?.startsWith('sha512-') !== true;
    });
    expect(others.map(([path]) => path)).toEqual([]);
  });

  it('are asked for in one version each, which is the one that is locked', () => {
    const asked = { ...direct.dependencies, ...direct.devDependencies, ...direct.optionalDependencies };
    const different = Object.entries(asked).filter(
      ([name, version]) => packages[`node_modules/${name}`]?.version !== version,
    );
    expect(different).toEqual([]);
  });

  it('are told of in docs/reference/dependencies.md: each with its licence and its job, and no others', () => {
    const page = textOf('docs/reference/dependencies.md');
    const rows = [...page.matchAll(/^\| `([^`]+)` +\| ([^|]+?) +\| ([^|]+?) +\|$/gm)].map(
      ([, name = '', license = '']) => `${name}: ${license}`,
    );
    const types = [...(/^And types, .*$/m.exec(page)?.[0] ?? '').matchAll(/`([^`]+)`/g)].map(
      ([, name = '']) => `${name}: MIT`,
    );
    const names = Object.values({
      a: direct.dependencies,
      b: direct.devDependencies,
      c: direct.optionalDependencies,
    }).flatMap((some) => Object.keys(some));
    const expected = names.map((name) => `${name}: ${packages[`node_modules/${name}`]?.license}`);
    expect([...rows, ...types].toSorted()).toEqual(expected.toSorted());
  });
});
