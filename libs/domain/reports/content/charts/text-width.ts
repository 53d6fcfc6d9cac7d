/** Widths of the letters of DejaVu Sans, in parts of the font's size: there is no canvas to measure them with. */
const WIDTHS: readonly [RegExp, number][] = [
  [/[ijl|'.,:; !I]/, 0.33],
  [/[frt()[\]"-]/, 0.41],
  [/[mwMW@%]/, 0.95],
  [/[A-Z\u0400-\u042f#&+<=>]/, 0.72],
];
const OTHERS = 0.62;
const DEFAULT_SIZE = 12;

/** How wide a line is drawn, about; `font` as CSS writes it. */
export function measureText(text: string, font?: string): { width: number } {
  const size = Number(/([\d.]+)px/.exec(font ?? '')?.[1] ?? DEFAULT_SIZE);
  const ems = Array.from(text).reduce(
    (sum, letter) => sum + (WIDTHS.find(([kind]) => kind.test(letter))?.[1] ?? OTHERS),
    0,
  );
  return { width: ems * size };
}
