/** Widths of the glyphs of DejaVu Sans, relative to the font size: there is no canvas for measuring. */
const WIDTHS: readonly [RegExp, number][] = [
  [/[ijl|'.,:; !I]/, 0.33],
  [/[frt()[\]"-]/, 0.41],
  [/[mwMW@%]/, 0.95],
  [/[A-Z\u0400-\u042f#&+<=>]/, 0.72],
];
const OTHERS = 0.62;
const DEFAULT_SIZE = 12;

/** Approximate width of a line; `font` in CSS notation. */
export function measureText(text: string, font?: string): { width: number } {
  const size = Number(/([\d.]+)px/.exec(font ?? '')?.[1] ?? DEFAULT_SIZE);
  const ems = Array.from(text).reduce(
    (sum, character) => sum + (WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? OTHERS),
    0,
  );
  return { width: ems * size };
}
