/** A stop word, or the text that it is looked for in, as they are compared: case, spacing and forms of characters aside. */
export function normalizeStopWord(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** In normal form, each once, in the order given. */
export function normalizeStopWords(words: readonly string[]): string[] {
  return [...new Set(words.map(normalizeStopWord))];
}
