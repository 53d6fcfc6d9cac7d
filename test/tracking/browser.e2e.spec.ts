import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { SuppressionsService } from '@domain/suppressions';
import { type Browser, chromium, type Page } from 'playwright-core';
import { installedBrowser } from './browser';
import { Tracked } from './tracked';

const executablePath = installedBrowser();
/** A machine without a browser skips these tests. */
const describeIfInstalled = executablePath ? describe : describe.skip;

describeIfInstalled('in a real browser (needs chromium on the PATH, or CHROMIUM)', () => {
  let tracked: Tracked;
  let browser: Browser;
  let webmail: Server;
  let mail = '';
  let url: string;

  beforeAll(async () => {
    tracked = await Tracked.start();
    url = await tracked.platform.app.getUrl();
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    webmail = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(mail));
    await new Promise<void>((done) => webmail.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    await browser?.close();
    webmail?.close();
    await tracked?.close();
  });

  /** A page, and the errors and warnings of the browser. */
  async function opened(options: Parameters<Browser['newPage']>[0]): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage(options);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
    return { page, complaints };
  }

  it('a reader without scripts unsubscribes with the keyboard alone, in the reader’s language', async () => {
    const sent = await tracked.sent({ email: 'ada@people.test' });
    const { page, complaints } = await opened({ javaScriptEnabled: false, locale: 'de-DE' });
    await page.goto(url + sent.unsubscribe);
    expect(await page.title()).toBe('Abmelden');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Abmelden');
    expect(await page.getByRole('main').textContent()).toContain('ada@people.test');
    await page.keyboard.press('Tab');
    const button = page.getByRole('button', { name: 'Abmelden' });
    expect(await button.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sie sind abgemeldet');
    expect(await page.getByRole('button').count()).toBe(0);
    const { workspaceId } = tracked.workspace;
    const suppressions = tracked.platform.app.get(SuppressionsService, { strict: false });
    expect(await suppressions.isSuppressed(workspaceId, sent.email)).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('the page has its style, and fits a narrow screen with a long address', async () => {
    const sent = await tracked.sent({ email: `${'long'.repeat(15)}@${'sub.'.repeat(20)}people.test` });
    const { page, complaints } = await opened({ viewport: { width: 320, height: 600 } });
    await page.goto(url + sent.unsubscribe);
    const { wide, weight, height } = await page.evaluate<{ wide: boolean; weight: string; height: number }>(`(() => {
      const button = document.querySelector('button');
      const { scrollWidth, clientWidth } = document.documentElement;
      const { height } = button.getBoundingClientRect();
      return { wide: scrollWidth > clientWidth, weight: getComputedStyle(button).fontWeight, height };
    })()`);
    expect({ wide, weight, complaints }).toEqual({ wide: false, weight: '600', complaints: [] });
    expect(height).toBeGreaterThanOrEqual(44);
    await page.close();
  });

  it('a mail program of another origin shows the pixel and follows the link', async () => {
    const target = `http://127.0.0.1:${(webmail.address() as AddressInfo).port}/there`;
    const sent = await tracked.sent({ links: [target] });
    mail = `<img src="${url}${sent.open}" alt=""><a href="${url}${sent.clicks[0]}">Offer</a>`;
    const { page } = await opened({});
    await page.goto(target.replace('127.0.0.1', 'localhost').replace('/there', '/mail'));
    expect(
      await page.locator('img').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(1);
    await page.getByRole('link', { name: 'Offer' }).click();
    await page.waitForURL(target);
    await tracked.classify();
    expect((await tracked.hits(sent)).map(({ kind }) => kind as string).toSorted()).toEqual(['click', 'open']);
    await page.close();
  });
});
