import { glob, readFile } from 'node:fs/promises';

/** Tests of `npm run test:deep` only: they kill and disconnect the platform, or take minutes. */
export const ONLY_DEEP = ['/test/faults/', '\\.deep\\.'];

const SPECS = ['{apps,libs,tools,clients,test}/**/*.spec.{ts,mts}'];

/** Suites with more rounds in a deep run: properties, and users of libs/testing/depth.ts. */
const TRIES_MORE = /from 'fast-check'|\b(?:DEEP|rounds)\b[^;]*from '@testing'/;

/** The test files that `npm test` skips or shortens. */
export async function deepSpecs(root: string): Promise<string[]> {
  const onlyDeep = ONLY_DEEP.map((pattern) => new RegExp(pattern));
  const found: string[] = [];
  for await (const path of glob(SPECS, { cwd: root, exclude: (name) => name === 'node_modules' })) {
    const isDeep = onlyDeep.some((pattern) => pattern.test(`/${path}`));
    if (isDeep || TRIES_MORE.test(await readFile(`${root}/${path}`, 'utf8'))) found.push(path);
  }
  return found.toSorted();
}
