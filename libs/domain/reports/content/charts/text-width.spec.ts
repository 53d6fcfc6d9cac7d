import { measureText } from './text-width';

it.each([
  ['iiii', '10px sans-serif', 13.2],
  ['WWWW', '10px sans-serif', 38],
  ['', '10px sans-serif', 0],
  ['aaaa', undefined, 29.76],
])('%s in %s', (text, font, width) => {
  expect(measureText(text, font).width).toBeCloseTo(width);
});
