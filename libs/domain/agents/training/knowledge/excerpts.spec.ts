import { selectExcerpts } from './excerpts';

const page = (url: string, ...lines: string[]) => ({ url, title: null, text: lines.join('\n') });
const long = (text: string) => `${text} ${'and so on '.repeat(60)}`;
const pages = [
  page('/', long('Acme makes timetables for regional railways')),
  page('/pricing', long('The editor is 400 EUR a month, the price of a trial is nothing')),
  page('/security', long('Our servers stand in Zurich; data is encrypted')),
];

describe('excerptsFor', () => {
  it.each([
    ['What are your prices?', '/pricing'],
    ['Where do your SERVERS stand?', '/security'],
    ['Do you do timetables?', '/'],
  ])('answers %j with %s', (text, url) => expect(selectExcerpts(text, pages, 3)[0]?.url).toBe(url));

  it('returns the starts of the first pages when no passage matches', () => {
    expect(selectExcerpts('Hmm?', pages, 2).map(({ url }) => url)).toEqual(['/', '/pricing']);
    expect(selectExcerpts('', [], 2)).toEqual([]);
  });

  it('weights a word higher the fewer passages contain it', () => {
    const [first] = selectExcerpts('acme zurich', [...pages, page('/a', 'acme acme'), page('/b', 'acme')], 5);
    expect(first?.url).toBe('/security');
  });

  it('returns the requested number of passages, of at most 700 characters', () => {
    const one = page('/long', Array.from({ length: 100 }, () => long('railways')).join(''));
    const found = selectExcerpts('railways', [one, page('/other', 'Nothing of the kind')], 6);
    expect(found).toHaveLength(6);
    for (const { text } of found) expect(text.length).toBeLessThanOrEqual(700);
  });
});
