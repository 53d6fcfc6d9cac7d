import { retryAfterMs } from './retry-after';

describe('Retry-After', () => {
  const at = 'Sat, 21 Nov 2026 10:00:00 GMT';
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['99999999', 86_400_000],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('reads %s as %s ms', (header, ms) => {
    expect(retryAfterMs(header, at)).toBe(ms);
  });
});
