import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_EXPORTS } from './built.mts';

const root = join(import.meta.dirname, '..', '..');
const exportsOfAll = Object.entries(BUILT_EXPORTS).flatMap(([path, exported]) =>
  Object.entries(exported).map(([name, methods]) => ({ path, name, methods })),
);

describe('the compiled exports that benches load', () => {
  it.each(exportsOfAll)('$name is exported by $path', ({ path, name, methods }) => {
    const source = readFileSync(join(root, `${path}.ts`), 'utf8');

    expect(source).toMatch(new RegExp(String.raw`^export (async )?(abstract )?(class|function|const) ${name}\b`, 'm'));
    for (const method of methods) {
      expect(source).toMatch(new RegExp(String.raw`^  (override |static |async )*${method}[(<]`, 'm'));
    }
  });

  it('are in the table, for each bench that loads them', () => {
    const names = new Set(exportsOfAll.map(({ name }) => name));
    const benches = readdirSync(import.meta.dirname).filter((file) => /^(?!built).*\.mts$/.test(file));
    const texts = benches.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
    const loaded = texts.flatMap((text) =>
      [...text.matchAll(/loadBuilt<[^(]*>\(([^)]*)\)/gs)].flatMap(([, list = '']) =>
        [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name),
      ),
    );

    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((name) => name === undefined || !names.has(name))).toEqual([]);
  });

  it('come from files that are compiled', () => {
    for (const path of Object.keys(BUILT_EXPORTS)) expect(existsSync(join(root, `${path}.ts`))).toBe(true);
  });
});
