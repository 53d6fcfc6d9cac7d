import { readFileSync, writeFileSync } from 'node:fs';
import { writesGolden } from '@testing';

/**
 * Compares collected values with a kept JSON file, or writes that file with `WRITE_GOLDEN=1`.
 * @param kept path of the file
 */
export function expectKept(kept: string, collected: unknown): void {
  if (writesGolden()) writeFileSync(kept, `${JSON.stringify(collected, null, 2)}\n`);
  expect(collected).toEqual(JSON.parse(readFileSync(kept, 'utf8')));
}
