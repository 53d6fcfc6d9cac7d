import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const benches = readdirSync(import.meta.dirname).filter((file) => /^(?!built).*\.mts$/.test(file));
const loaded = benches.flatMap((file) =>
  [
    ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(
      /const \{([^}]*)\} = loadBuilt\(\s*'([^']*)',?\s*\)/g,
    ),
  ].flatMap(([, names = '', path = '']) => [...names.matchAll(/\w+/g)].map(([name]) => ({ file, name, path }))),
);

// Benches load compiled exports, which the compiler does not check.
describe('the compiled exports that benches load', () => {
  it('are found', () => expect(loaded.length).toBeGreaterThan(10));

  it.each(loaded)('$file: $name of $path', ({ name, path }) => {
    const source = readFileSync(join(root, `${path}.ts`), 'utf8');
    expect(source).toMatch(new RegExp(String.raw`^export (async )?(abstract )?(class|function|const) ${name}\b`, 'm'));
  });
});
