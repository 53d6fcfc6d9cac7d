import { textOf } from './files';

interface Package {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** Packages of this repository. */
  readonly link?: boolean;
}

type Direct = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;

/** Licences that the platform may depend on, by their SPDX names. */
const ALLOWED = new Set([
  'MIT', 'MIT-0', 'ISC', 'BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0', 'Unlicense', 'Zlib',
  'Python-2.0', 'CC0-1.0', 'CC-BY-4.0', 'MPL-2.0', 'Bitstream-Vera',
]); // prettier-ignore

/** Packages whose licence is stated in a file but not in the manifest. */
const READ: Record<string, string> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  slick: 'MIT',
  'dejavu-fonts-ttf': 'Bitstream-Vera', // permits everything except selling the fonts alone
};

/** `(MIT OR EUPL-1.1+)` needs one allowed licence; `A AND B` needs both. */
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
  it('have, including transitive ones, an allowed licence', () => {
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
  ])('are allowed with the licence %s: %s', (license, allowed) => {
    expect(isAllowed(license)).toBe(allowed);
  });

  it('need an explicit licence only if their manifest has none', () => {
    const used = new Set(installed.map(([path]) => nameOf(path)));
    expect(Object.keys(READ).filter((name) => !used.has(name))).toEqual([]);
  });

  it('have a hash each, and come from the registry only', () => {
    const others = installed.filter(([, { integrity, resolved }]) => {
      const isElsewhere = resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/');
      return isElsewhere || integrity?.startsWith('sha512-') !== true;
    });
    expect(others.map(([path]) => path)).toEqual([]);
  });

  it('are requested in one exact version each, which is the locked one', () => {
    const asked = { ...direct.dependencies, ...direct.devDependencies, ...direct.optionalDependencies };
    const different = Object.entries(asked).filter(
      ([name, version]) => packages[`node_modules/${name}`]?.version !== version,
    );
    expect(different).toEqual([]);
  });

  it('are listed in docs/reference/dependencies.md with licence and purpose, and no others are', () => {
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
