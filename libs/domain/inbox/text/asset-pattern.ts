import { type AssetSet, compilePattern, type Fragments } from '@platform/config';

/** A regular expression in an asset file: its source, or a list of alternatives. */
export type AssetPattern = string | readonly string[];

/** Fragments of an asset file as `compilePattern` takes them. */
export function toFragments(fragments: Readonly<Record<string, AssetPattern>> = {}): Fragments {
  return Object.fromEntries(Object.entries(fragments).map(([name, pattern]) => [name, [pattern].flat().join('|')]));
}

/**
 * Returns the source of a pattern with its fragments. Each alternative is checked alone, so that an error names its line.
 * @throws AssetValueError
 */
export function toSource(pattern: AssetPattern, flags = 'u', fragments: Fragments = {}): string {
  const alternatives = [pattern].flat();
  for (const alternative of alternatives) compilePattern(alternative, flags, fragments);
  return alternatives.join('|').replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => fragments[name] ?? '');
}

/** @throws AssetValueError */
export function toPattern(pattern: AssetPattern, flags = '', fragments: Fragments = {}): RegExp {
  return new RegExp(toSource(pattern, flags, fragments), flags);
}

/** Returns a function that derives a value from an asset set: once, and again after a reload. */
export function createDerived<T extends object, U>(set: AssetSet<T>, make: (value: T) => U): () => U {
  let cached: { readonly from: T; readonly value: U } | null = null;
  return () => {
    const from = set.value;
    if (cached?.from !== from) cached = { from, value: make(from) };
    return cached.value;
  };
}
