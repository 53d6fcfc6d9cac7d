import { earlier } from './limits';
import { NOW } from './testing/facts';

const MONDAY = new Date('2026-11-23T08:00:00.000Z');

it.each([
  [null, null, null],
  [NOW, null, NOW],
  [null, NOW, NOW],
  [NOW, MONDAY, NOW],
  [MONDAY, NOW, NOW],
])('of %s and %s, the earlier date is %s', (one, other, expected) => {
  expect(earlier(one, other)).toBe(expected);
});
