import PostalMime from 'postal-mime';
import { type RenderedReport } from '../content/report-shape';
import { composeReport, type ReportMessage, getReportMessageId } from './report-message';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const STOP = 'https://outreach.example/r/EGsxabc_-123';
const rendered: RenderedReport = {
  subject: 'Your week: 12 positive replies – “gut”',
  html: '<!doctype html><html><body><p>Hello</p><img src="cid:sent@report"></body></html>',
  text: 'Hello\n',
  images: [{ cid: 'sent@report', filename: 'sent.png', png: PNG, alt: 'Sent', width: 1, height: 1 }],
};
const composed = (more: Partial<RenderedReport> = {}, message: Partial<ReportMessage> = {}) =>
  composeReport(
    { ...rendered, ...more },
    {
      from: { name: 'Acme', address: 'reports@acme.example' },
      to: { name: 'Ada', address: 'ada@example.com' },
      messageId: '<report.1.weekly@acme.example>',
      date: new Date('2026-11-23T08:00:00Z'),
      stopUrl: STOP,
      ...message,
    },
  );

describe('the mail of a report', () => {
  it('has text, HTML and inline pictures', async () => {
    const { raw, envelope, messageId } = await composed();
    expect(envelope).toEqual({ from: 'reports@acme.example', to: 'ada@example.com' });
    expect(messageId).toBe('<report.1.weekly@acme.example>');
    const mail = await PostalMime.parse(raw);
    expect(mail.subject).toBe(rendered.subject);
    expect(mail.html).toContain('<img src="cid:sent@report">');
    expect(mail.text).toMatch(/^Hello/);
    expect(mail.attachments).toMatchObject([
      { contentId: '<sent@report>', filename: 'sent.png', mimeType: 'image/png', disposition: 'inline', related: true },
    ]);
    expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer).equals(PNG)).toBe(true);
    const [alternative, related] = [raw.indexOf('multipart/alternative'), raw.indexOf('multipart/related')];
    expect(alternative).toBeGreaterThan(0);
    expect(related).toBeGreaterThan(alternative);
  });

  it('is marked as automatic, and its reader can stop reports with one click or a link at its end', async () => {
    const { raw } = await composed();
    const mail = await PostalMime.parse(raw);
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(header('auto-submitted')).toBe('auto-generated');
    expect(header('list-unsubscribe')).toBe(`<${STOP}>`);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(mail.html).toMatch(new RegExp(`<a href="${STOP}"[^]*</body></html>\\s*$`));
    expect(mail.text).toContain(STOP);
  });

  it('offers one click only at an https address, and the link everywhere', async () => {
    const stopUrl = STOP.replace('https:', 'http:');
    const mail = await PostalMime.parse((await composed({}, { stopUrl })).raw);
    const names = mail.headers.map(({ key }) => key);
    expect(names).toContain('list-unsubscribe');
    expect(names).not.toContain('list-unsubscribe-post');
  });

  it.each(['Jörg Groß', '李小龍', 'Ada "The Countess" Lovelace, <Dr.>', '=?utf-8?Q?Eve?=', 'ü'.repeat(200)])(
    'names %s in lines that every server accepts, and omits a name that mail programs would decode',
    async (name) => {
      const { raw } = await composed(
        {},
        { from: { name, address: 'reports@acme.example' }, to: { name, address: 'ada@example.com' } },
      );
      const mail = await PostalMime.parse(raw);
      const shown = name.includes('=?') ? '' : name;
      expect([mail.from?.name, mail.to?.[0]?.name]).toEqual([shown, shown]);
      const [head = ''] = raw.toString('latin1').split('\r\n\r\n');
      expect(head).toMatch(/^[\x20-\x7e\r\n\t]*$/);
      // RFC 5322, section 2.1.1.
      expect(
        Math.max(
          ...raw
            .toString('latin1')
            .split('\r\n')
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(998);
    },
  );

  it('ends with the link also if the HTML has no closing tag', async () => {
    const mail = await PostalMime.parse((await composed({ html: '<p>Hello</p>' })).raw);
    expect(mail.html).toContain(STOP);
  });

  it('has the same Message-ID for all attempts, derived from recipient and period', () => {
    const id = getReportMessageId('6740a1b2c3d4e5f60718293a', 'weekly 2026-11-16 2026-11-22', 'reports@bücher.example');
    expect(id).toBe('<report.6740a1b2c3d4e5f60718293a.weekly.2026-11-16.2026-11-22@xn--bcher-kva.example>');
  });
});
