import { parseHTML } from 'linkedom';
import { busyWeek, quietWeek } from '../testing/facts';
import { HOSTILE_NAMES, hostileWeek } from '../testing/hostile-facts';
import { type RenderedReport } from '../report-shape';
import { renderReport } from './render-report';

/** Gmail cuts longer mails. */
const MAX_HTML_BYTES = 102 * 1024;
const URL_OF_PLATFORM = 'https://outreach.acme.example';

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The tags of a page that match a selector. */
function tags(html: string, selector: string): Tag[] {
  return [...parseHTML(html).document.querySelectorAll(selector)].map(({ tagName, attributes, textContent }) => ({
    name: tagName.toLowerCase(),
    attributes: Object.fromEntries([...attributes].map((one) => [one.name, one.value])),
    text: textContent ?? '',
  }));
}

/** The visible text of the page in its order. */
function getText({ html }: RenderedReport): string {
  const { document } = parseHTML(html);
  for (const hidden of document.querySelectorAll('style, head, div[style*="display:none"]')) hidden.remove();
  return (document.body.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

describe('a report', () => {
  let report: RenderedReport;

  beforeAll(async () => {
    report = await renderReport(busyWeek());
  });

  it('has its main figure in the subject', () => {
    expect(report.subject).toBe('Acme Growth: 26 positive replies (+9), 9 Nov – 15 Nov');
  });

  it('has its parts in order, each with its figures', () => {
    const words = getText(report);
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

  it('has the same content as text and as HTML', () => {
    const { text } = report;
    for (const phrase of [
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
      expect(text).toContain(phrase);
    }
    expect(text).not.toMatch(/<|&amp;|undefined|null|NaN/);
  });

  it('uses tables for its layout and inline colours, and supports dark mode', () => {
    const { html } = report;
    expect(tags(html, 'html')).toMatchObject([{ attributes: { lang: 'en' } }]);
    expect(tags(html, 'meta[name="color-scheme"]')).toMatchObject([{ attributes: { content: 'light dark' } }]);
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(tags(html, 'td.note')[0]?.attributes['style']).toContain('background-color');
    expect(tags(html, 'td.number')[0]?.attributes['style']).toContain('text-align: right');
    // Layout tables are marked, so that screen readers do not announce them.
    const read = tags(html, 'table:not([role="presentation"]) tr:first-child th:first-child');
    expect(read.map(({ text }) => text)).toEqual(['Campaign', 'Mailbox']);
    expect(tags(html, 'table:not([role="presentation"])')).toHaveLength(read.length);
  });

  it('refers to each picture once, with its size and a text alternative', () => {
    const shown = tags(report.html, 'img').map(({ attributes }) => attributes);
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
    ['a report with the maximum content', hostileWeek],
    ['a report of an ordinary week', busyWeek],
    ['a report without activity', quietWeek],
  ])('%s loads nothing, runs nothing, links only to the platform and is not cut by Gmail', async (_what, facts) => {
    const { html } = await renderReport(facts());
    const all = tags(html, '*');
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_HTML_BYTES);
    const forbidden = new Set(['script', 'link', 'iframe', 'object', 'embed', 'form', 'base', 'svg', 'video']);
    expect(all.filter(({ name }) => forbidden.has(name))).toEqual([]);
    expect(tags(html, 'a').map(({ attributes }) => attributes['href'])).toEqual([URL_OF_PLATFORM]);
    for (const { attributes } of all) {
      for (const name of Object.keys(attributes)) expect(name).not.toMatch(/^on|^background$|^srcset$/i);
      expect(attributes['src'] ?? 'cid:').toMatch(/^cid:/);
    }
    const styles = [...tags(html, 'style').map(({ text }) => text), ...all.map(({ attributes }) => attributes['style'])];
    expect(styles.join(';')).not.toMatch(/@import|url\(|expression/i);
    const addresses = html.match(/https?:\/\/[^\s"'<>]+/g) ?? [];
    expect(new Set(addresses.filter((address) => !address.startsWith('http://www.w3.org/')))).toEqual(
      new Set([URL_OF_PLATFORM]),
    );
  }); // prettier-ignore
});

describe('a report full of hostile names', () => {
  it('shows them as text, on one line and cut, and escapes all of them', async () => {
    const report = await renderReport(hostileWeek());
    expect(tags(report.html, 'img')).toHaveLength(report.images.length);
    expect(tags(report.html, 'script')).toEqual([]);
    expect(getText(report)).toContain('1. <script>alert(1)</script><img src=x onerror=alert(2)>');
    expect(getText(report)).toContain('7. </mj-text></mj-column><mj-raw>&lt;b&gt;</mj-raw> {{first');
    for (const text of [report.html, report.text, report.subject, ...report.images.map(({ alt }) => alt)]) {
      expect(text).not.toMatch(/[\0\u202e\u2066]/);
      expect(text).not.toContain(HOSTILE_NAMES[4]);
    }
    expect(report.subject).not.toMatch(/[\r\n]/);
    expect(report.text).not.toMatch(/^Bcc:/m);
  });
});

describe('a report without activity', () => {
  it('is short and says so', async () => {
    const report = await renderReport(quietWeek());
    expect(report.images).toEqual([]);
    expect(getText(report)).toContain('There was no activity.');
    expect(getText(report)).not.toMatch(/Campaigns|Mailboxes|Figures/);
    expect(report.text).toContain('No lead was contacted for the first time, and no lead replied.');
    expect(report.subject).toBe('Acme Growth: 0 positive replies, 9 Nov – 15 Nov');
  });

  it('shows the previous period if that had activity', async () => {
    const { before } = busyWeek();
    const report = await renderReport(quietWeek({ before }));
    expect(report.subject).toContain('(−17)');
  });
});

describe('a report about campaigns', () => {
  it('names the first three', async () => {
    const about = ['Autumn', 'Winter', 'Spring', 'Summer', 'Monsoon'];
    const report = await renderReport(busyWeek({ reportType: 'campaign', about }));
    expect(getText(report)).toContain('Acme Growth · Autumn, Winter, Spring and 2 more');
  });

  it('says if they were deleted', async () => {
    const report = await renderReport(quietWeek({ reportType: 'campaign', about: [] }));
    expect(report.text).toContain('Acme Growth · deleted campaigns');
  });
});
