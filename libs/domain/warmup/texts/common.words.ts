import { WARMUP_LANGUAGES, type WarmupLanguage } from '../schemas/warmup.record';

/** Short words that a language cannot do without. */
const COMMON: Readonly<Record<WarmupLanguage, ReadonlySet<string>>> = {
  en: words(
    'the and is you your for with will have are this that my of we thanks to but me our be on it in would i if',
  ),
  de: words(
    'und ich der die das nicht ist du mit für bin wir ein eine zu auf vom bis danke den dir es dich mir uns am wenn',
  ),
  fr: words('le la les et je vous votre pour est nous dans avec pas du au une de ce mon des cela merci ne si sur que'),
  es: words('el los y que por para con tu gracias estoy una es mi del hasta no lo te me si nos hay la un ya de'),
  pt: words('o os e não para com em uma que sua do da até por você na um se no seu ao nos isso as bem de'),
  nl: words('de het een en ik niet van met voor is je we op tot dank dat zijn er nog ook maar als me om ons'),
  it: words('il la e che non per con sono grazie di del una mi ti al un ci se lo da è le alle più'),
};

/** The one of our languages that a text is likeliest in; null when nothing tells, or two are as likely. */
export function languageOf(text: string): WarmupLanguage | null {
  const spoken = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counted = WARMUP_LANGUAGES.map((language) => {
    return { language, hits: spoken.filter((word) => COMMON[language].has(word)).length };
  }).toSorted((one, other) => other.hits - one.hits);
  const [first, second] = counted;
  return first === undefined || first.hits === 0 || first.hits === second?.hits ? null : first.language;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
