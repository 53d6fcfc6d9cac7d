/** Terms of paths in common languages; the most informative about a company come first. */
const RANKS: readonly (readonly [rank: number, words: RegExp])[] = [
  [
    1,
    /^(about|about-?us|company|who-we-are|our-story|mission|ueber-uns|uber-uns|unternehmen|a-propos|qui-sommes-nous|nosotros|chi-siamo)$/,
  ],
  [
    2,
    /^(products?|services?|solutions?|platform|features?|what-we-do|how-it-works|offerings?|produkte?|leistungen|loesungen|produits|productos|servicios)$/,
  ],
  [3, /^(pricing|prices|plans|preise|tarifs|precios)$/],
  [
    4,
    /^(customers?|case-stud(y|ies)|success-stories|testimonials|clients|references|industries|use-cases?|kunden|referenzen)$/,
  ],
  [5, /^(faqs?|help|questions|why(-.*)?|compare|security|team|contact(-us)?|kontakt)$/],
];
const HOME = 0;
const OTHER = 6;
const LAST = 20;
/** Many pages with little about the offer. */
const LATE =
  /^(blog|news|press|events?|careers?|jobs|legal|privacy.*|terms.*|imprint|impressum|cookies?|tags?|category|author|archive|calendar|changelog|status)$/;

/** Returns the rank of a page, lowest first; deeper pages of a kind come after its first page. */
export function getRank(normal: string): number {
  const segments = new URL(normal).pathname
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '' && !isLanguage(segment))
    .map((segment) => segment.replace(/\.(html?|php|aspx?)$/, '').replaceAll('_', '-'));
  if (segments.length === 0) return HOME;
  if (segments.some((segment) => LATE.test(segment))) return LAST + segments.length;
  const [first = ''] = segments;
  const rank = RANKS.find(([, pattern]) => pattern.test(first))?.[0] ?? OTHER;
  // A page below "products" is worth less than the first page of any other kind.
  return rank + (segments.length - 1) * OTHER;
}

function isLanguage(segment: string): boolean {
  return /^[a-z]{2}([-_][a-z]{2})?$/.test(segment);
}
