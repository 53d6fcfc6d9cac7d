import { load } from 'cheerio';
import { busyWeek, HOSTILE_NAMES, hostileWeek, quietWeek } from '../testing/facts';
import { type RenderedReport } from '../report.shape';
import { printed } from './report.print';

/** Gmail cuts what is longer. */
const MAX_HTML_BYTES = 102 * 1024;
const URL_OF_PLATFORM = 'https://outreach.acme.example';

/** All words of the page in their order, without those that are hidden. */
function wordsOf({ html }: RenderedReport): string {
  const page = load(html);
  page('style, head, div[style*="display:none"]').remove();
  return page('body').text().replaceAll(/\s+/g, ' ').trim();
}

describe('a report', () => {
  let report: RenderedReport;

  beforeAll(async () => {
    report = await printed(busyWeek());
  });

  it('has the one figure that matters in its subject', () => {
    expect(report.subject).toBe('Acme Growth: 26 positive replies (+9), 9 Nov – 15 Nov');
  });

  it('has its parts in their order, each with its figures', () => {
    const words = wordsOf(report);
    const parts = [
      'WEEKLY REPORT Acme Growth Mon, 9 Nov – Sun, 15 Nov 2026 · Europe/Berlin Hello Ada Lovelace,',
      '26 positive replies +9 (+52.9%)',
      '900 leads were contacted, 70 replied, 26 positively: 2.9% of those contacted, after 2.7% the week before.',
      'Needs attention Campaign “Win-back 2025” was paused for too many bounces',
      'And 2 more.',
      'Figures Emails sent1,390+288 (+26.1%)',
      'Opened380+79 (+26.2%)42.2% of contacted',
      'Campaigns CampaignSentContactedRepliedPositiveRate1. Autumn outreach DACH42026024114.2%',
      'Mailboxes 19 of 24 mailboxes can send, 870 emails a day at most; 6 in warmup.',
      'grace@acme-mail.comdisconnected, warming up100210120',
      '16 others',
      'Days are those of Europe/Berlin; changes are to the week before. Made 16 Nov 2026, 08:00.',
    ];
    const places = parts.map((part) => words.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('says as text what the page says', () => {
    const { text } = report;
    for (const said of [
      'Weekly report: Acme Growth',
      '26 positive replies, +9 (+52.9%)',
      '!! 1 mailbox is disconnected: grace@acme-mail.com.',
      'And 2 more.',
      'Opened: 380 (42.2% of contacted), +79 (+26.2%)',
      'Tue, 10 Nov 2026: sent 338, opened 121, replied 15, positive 7, bounced 1',
      '1. Autumn outreach DACH: sent 420, contacted 260, replied 24, positive 11, rate 4.2%',
      'grace@acme-mail.com (disconnected, warming up): health 100, sent 210, replied 12, bounced 0',
      URL_OF_PLATFORM,
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toMatch(/<|&amp;|undefined|null|NaN/);
  });

  it('is laid out in tables, with its colours in the tags, and knows the dark mode', () => {
    const page = load(report.html);
    expect(page('html').attr('lang')).toBe('en');
    expect(page('meta[name="color-scheme"]').attr('content')).toBe('light dark');
    expect(report.html).toContain('@media (prefers-color-scheme:dark)');
    expect(page('td.note').first().attr('style')).toContain('background-color');
    expect(page('td.number').first().attr('style')).toContain('text-align: right');
    // Tables that only lay out are not read out as tables.
    const read = page('table:not([role="presentation"])').toArray();
    expect(read.map((table) => page(table).find('th').first().text())).toEqual(['Campaign', 'Mailbox']);
  });

  it('names each of its pictures once, with its size and what is to be seen', () => {
    const page = load(report.html);
    const shown = page('img')
      .toArray()
      .map((image) => page(image).attr());
    expect(shown.map((image) => image?.['src'])).toEqual(report.images.map(({ cid }) => `cid:${cid}`));
    expect(report.images.map(({ filename }) => filename)).toEqual([
      'activity.png',
      'answers.png',
      'campaigns.png',
      'mailboxes.png',
    ]);
    for (const [index, image] of report.images.entries()) {
      expect(shown[index]).toMatchObject({ alt: image.alt, width: String(image.width), height: String(image.height) });
      expect(image.png.readUInt32BE(16)).toBe(image.width * 2);
    }
  });

  it.each([
    ['with all that there can be', hostileWeek],
    ['of an ordinary week', busyWeek],
    ['of nothing', quietWeek],
  ])('%s loads nothing, runs nothing, links only to the platform and is not cut by Gmail', async (_what, facts) => {
    const { html } = await printed(facts());
    const page = load(html);
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_HTML_BYTES);
    expect(page('script, link, iframe, object, form, base, svg, meta[http-equiv="refresh"]')).toHaveLength(0);
    expect(page('a').toArray().map((link) => page(link).attr('href'))).toEqual([URL_OF_PLATFORM]);
    const attributes = page('*').toArray().flatMap((tag) => Object.entries(page(tag).attr() ?? {}));
    for (const [name] of attributes) expect(name).not.toMatch(/^on/i);
    const styles = attributes.filter(([name]) => name === 'style').map(([, style]) => style);
    expect([page('style').text(), ...styles].join(';')).not.toMatch(/@import|url\(|expression/i);
    const sources = page('[src], [background], [srcset]').toArray().map((tag) => page(tag).attr('src') ?? '');
    for (const source of sources) expect(source).toMatch(/^cid:/);
    const addresses = html.match(/https?:\/\/[^\s"'<>]+/g) ?? [];
    expect(new Set(addresses.filter((address) => !address.startsWith('http://www.w3.org/')))).toEqual(
      new Set([URL_OF_PLATFORM]),
    );
  }); // prettier-ignore
});

describe('a report full of hostile names', () => {
  it('shows them as text, on one line and cut, and lets none of them out', async () => {
    const report = await printed(hostileWeek());
    const page = load(report.html);
    expect(page('img')).toHaveLength(report.images.length);
    expect(page('style').text()).not.toContain('display:none}</style>');
    expect(wordsOf(report)).toContain('1. <script>alert(1)</script><img src=x onerror=alert(2)>');
    expect(wordsOf(report)).toContain('7. </mj-text></mj-column><mj-raw>&lt;b&gt;</mj-raw> {{first');
    for (const text of [report.html, report.text, report.subject, ...report.images.map(({ alt }) => alt)]) {
      expect(text).not.toMatch(/[\0\u202e\u2066]/);
      expect(text).not.toContain(HOSTILE_NAMES[4]);
    }
    expect(report.subject).not.toMatch(/[\r\n]/);
    expect(report.text).not.toMatch(/^Bcc:/m);
  });
});

describe('a report of nothing', () => {
  it('is short and says so', async () => {
    const report = await printed(quietWeek());
    expect(report.images).toEqual([]);
    expect(wordsOf(report)).toContain('Nothing was sent, and nothing came back.');
    expect(wordsOf(report)).not.toMatch(/Campaigns|Mailboxes|Figures/);
    expect(report.text).toContain('Nobody was written to for the first time, and nobody answered.');
    expect(report.subject).toBe('Acme Growth: 0 positive replies, 9 Nov – 15 Nov');
  });

  it('says what was the case before, when that was something', async () => {
    const { before } = busyWeek();
    const report = await printed(quietWeek({ before }));
    expect(report.subject).toContain('(−17)');
  });
});

describe('a report about campaigns', () => {
  it('names the first three', async () => {
    const about = ['Autumn', 'Winter', 'Spring', 'Summer', 'Monsoon'];
    const report = await printed(busyWeek({ reportType: 'campaign', about }));
    expect(wordsOf(report)).toContain('Acme Growth · Autumn, Winter, Spring and 2 more');
  });

  it('says that they are gone when they are', async () => {
    const report = await printed(quietWeek({ reportType: 'campaign', about: [] }));
    expect(report.text).toContain('Acme Growth · campaigns that are gone');
  });
});
