import { glob, readFile } from 'node:fs/promises';

/** Only in `npm run test:deep`: killing and disconnecting the platform, and suites that take minutes. */
export const ONLY_DEEP = ['/test/faults/', '\\.deep\\.'];

const SPECS = ['{apps,libs,tools,clients,test}/**/*.spec.{ts,mts}'];

/** Suites that try more in a deep run: properties, and users of libs/testing/depth.ts. */
const TRIES_MORE = /from 'fast-check'|\b(?:DEEP|rounds)\b[^;]*from '@testing'/;

/** The test files of which `npm test` runs less than there is, or nothing. */
export async function deepSpecs(root: string): Promise<string[]> {
  const onlyDeep = ONLY_DEEP.map((pattern) => new RegExp(pattern));
  const found: string[] = [];
  for await (const path of glob(SPECS, { cwd: root, exclude: (name) => name === 'node_modules' })) {
    const isDeep = onlyDeep.some((pattern) => pattern.test(`/${path}`));
    if (isDeep || TRIES_MORE.test(await readFile(`${root}/${path}`, 'utf8'))) found.push(path);
  }
  return found.toSorted();
}
