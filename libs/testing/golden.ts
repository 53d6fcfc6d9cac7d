/** Whether specs write their expected files instead of comparing them (`npm run generate`). */
export function writesGolden(): boolean {
  return process.env['WRITE_GOLDEN'] === '1';
}
