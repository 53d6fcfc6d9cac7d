/** A passage of a page. */
export interface Excerpt {
  readonly url: string;
  readonly title: string | null;
  readonly text: string;
}

interface Passage extends Excerpt {
  readonly terms: ReadonlySet<string>;
}

const PASSAGE_CHARACTERS = 700;
const MAX_PASSAGES = 3_000;
const MAX_QUERY_TERMS = 200;
const MIN_TERM_LENGTH = 3;

/**
 * Selects the passages that are most similar to a text, the best first: each common word counts more, the fewer
 * passages contain it (inverse document frequency). Without common words, the beginnings of the first pages.
 * @param pages in order of importance
 */
export function selectExcerpts(text: string, pages: readonly Excerpt[], most: number): Excerpt[] {
  const passages = pages.flatMap(splitIntoPassages).slice(0, MAX_PASSAGES);
  const terms = [...toTerms(text)].slice(0, MAX_QUERY_TERMS);
  const weights = new Map(terms.map((term) => [term, getWeight(term, passages)]));
  const scored = passages
    .map((passage, at) => ({ passage, at, score: getScore(passage, weights) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const best = scored.length > 0 ? scored.map(({ passage }) => passage) : listBeginnings(passages);
  return best.slice(0, most).map(({ url, title, text: said }) => ({ url, title, text: said }));
}

function splitIntoPassages({ url, title, text }: Excerpt): Passage[] {
  const passages: string[] = [];
  for (const line of text.split('\n').flatMap(splitLine)) {
    const last = passages.at(-1);
    if (last !== undefined && last.length + line.length < PASSAGE_CHARACTERS)
      passages[passages.length - 1] = `${last}\n${line}`;
    else passages.push(line);
  }
  return passages.map((said) => ({ url, title, text: said, terms: toTerms(`${title ?? ''} ${said}`) }));
}

function splitLine(line: string): string[] {
  const count = Math.ceil(line.length / PASSAGE_CHARACTERS);
  return Array.from({ length: count }, (_, at) =>
    line.slice(at * PASSAGE_CHARACTERS, (at + 1) * PASSAGE_CHARACTERS).toWellFormed(),
  );
}

function toTerms(text: string): Set<string> {
  const tokens = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(tokens.filter((token) => token.length >= MIN_TERM_LENGTH).map(stem));
}

/** "prices" and "price" count as one word; endings of other languages stay. */
function stem(token: string): string {
  return token.length > MIN_TERM_LENGTH + 1 && token.endsWith('s') && !token.endsWith('ss')
    ? token.slice(0, -1)
    : token;
}

/** The weight of a word: one that occurs in most passages has almost none. */
function getWeight(term: string, passages: readonly Passage[]): number {
  const having = passages.filter(({ terms }) => terms.has(term)).length;
  return having === 0 ? 0 : Math.log(1 + passages.length / having) - Math.log(2);
}

function getScore({ terms }: Passage, weights: ReadonlyMap<string, number>): number {
  let score = 0;
  for (const [term, weight] of weights) if (terms.has(term)) score += weight;
  return score;
}

function listBeginnings(passages: readonly Passage[]): Passage[] {
  return passages.filter(({ url }, at) => passages[at - 1]?.url !== url);
}
