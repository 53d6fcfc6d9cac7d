/** Normalizes case, spacing and character forms for comparison. */
export function normalizeStopWord(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** In normal form, without repetitions, in the given order. */
export function normalizeStopWords(stopWords: readonly string[]): string[] {
  return [...new Set(stopWords.map(normalizeStopWord))];
}
