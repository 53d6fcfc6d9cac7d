/** Languages that the rules of the inbox know, by ISO 639-1 code. */
export type Language =
  | 'en'
  | 'de'
  | 'fr'
  | 'es'
  | 'pt'
  | 'nl'
  | 'it'
  | 'pl'
  | 'sv'
  | 'da'
  | 'no'
  | 'fi'
  | 'cs'
  | 'ru'
  | 'ja'
  | 'zh'
  | 'ko';

/** Frequent short words by language, folded. Some occur in several languages: only the sum decides. */
const FREQUENT_TERMS: ReadonlyArray<readonly [Language, string]> = [
  ['en', 'the and is you your for with will have not are this that my of i we please thank thanks to but me our be'],
  [
    'de',
    'und ich der die das nicht ist sie mit fur bin wir ein eine zu auf vom bis ihre bitte danke dank im den kein wir uns mir haben gerne danke auch es',
  ],
  [
    'fr',
    'le la les et je vous votre pour est suis nous dans avec pas merci du au une de ce jusqu mon des ne nous suis cela votre pouvez avons deja bonjour',
  ],
  [
    'es',
    'el la los y que por para con su gracias estoy en una es mi del hasta de no le me hola usted mas puede tiene soy ya tenemos muy nos podemos por hablar quiero',
  ],
  [
    'pt',
    'tenho pode mais sou ja temos muito podemos ola voce quanto quero o os e nao para com obrigado obrigada estou em uma que sua seu por do da ate meu de no ola me',
  ],
  [
    'nl',
    'de het een en ik niet van met voor is uw u je ben wij bedankt op tot dank geen zijn te wij hebben mij graag niet nee kunnen heb wat',
  ],
  [
    'it',
    'il la e che non per con sono grazie di del una mi le fino al gentile buongiorno ciao vostra sua abbiamo ho piu gia mi possiamo ci',
  ],
  ['pl', 'i nie jest w z na do dziekuje jestem sie prosze za wiadomosc moja po bede oraz dzien'],
  ['sv', 'och jag ar inte det att for med tack till pa av som mitt din har ej hej'],
  ['da', 'og jeg er ikke det at med tak til pa af som min din har for kan fra hej'],
  ['no', 'og jeg er ikke det at med takk til pa av som min din har for kan fra hei'],
  ['fi', 'ja on en olen ei kiitos etta tai se ole viesti asti palaan lomalla hei'],
  ['cs', 'a je na se jsem neni dekuji do za v zpravu prosim s budu vas dobry den'],
];

const LANGUAGES_OF: ReadonlyMap<string, readonly Language[]> = indexByTerm();

/** Characters of a text that are read. */
const MAX_READ = 4_000;

/**
 * Lists the likely languages of a folded text, the likeliest first; none without evidence. Bilingual mails and close relatives
 * (Danish, Norwegian) give more than one.
 */
export function getLanguages(folded: string): readonly Language[] {
  const beginning = folded.slice(0, MAX_READ);
  const scores = new Map<Language, number>();
  const add = (language: Language, points: number) => scores.set(language, (scores.get(language) ?? 0) + points);
  for (const [term] of beginning.matchAll(/[a-z]+/g))
    for (const language of LANGUAGES_OF.get(term) ?? []) add(language, 1);
  for (const [script, language] of SCRIPTS) {
    const characters = beginning.match(script)?.length ?? 0;
    // Two characters of these scripts count as one short word.
    if (characters >= 4) add(language, characters / 2);
  }
  // Kana proves Japanese, whose texts also contain Han characters.
  if ((scores.get('ja') ?? 0) > 0) scores.delete('zh');
  const ranked = [...scores].sort(([, one], [, other]) => other - one);
  const best = ranked[0]?.[1] ?? 0;
  return ranked.filter(([, score]) => score >= best * 0.4).map(([language]) => language);
}

const SCRIPTS: ReadonlyArray<readonly [RegExp, Language]> = [
  [/[\u3041-\u30ff]/g, 'ja'],
  [/[\u4e00-\u9fff]/g, 'zh'],
  [/[\uac00-\ud7af]/g, 'ko'],
  [/[\u0400-\u04ff]/g, 'ru'],
];

function indexByTerm(): Map<string, Language[]> {
  const found = new Map<string, Language[]>();
  for (const [language, terms] of FREQUENT_TERMS)
    for (const term of terms.split(' ')) found.set(term, [...(found.get(term) ?? []), language]);
  return found;
}
