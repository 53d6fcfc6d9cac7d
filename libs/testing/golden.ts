/** Whether specs write the files that they otherwise compare (`npm run generate`). */
export function writesGolden(): boolean {
  return process.env['WRITE_GOLDEN'] === '1';
}
