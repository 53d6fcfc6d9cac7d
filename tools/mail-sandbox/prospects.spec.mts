import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { AcceptedMail } from './accepted-log.mts';
import { isLoopback, imagesIn, linksIn } from './links.mts';
import { Maildirs } from './maildir.mts';
import { message, multipart, text, type Header } from './messages/mime.mts';
import { Prospects } from './prospects.mts';
import { MessageStore } from './store.mts';

describe('prospects', () => {
  let folder: string;
  let store: MessageStore;
  let prospects: Prospects;
  let server: Server;
  let site: string;
  let asked: string[];
  const bodies: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prospects-'));
    store = await MessageStore.open(join(folder, 'messages'), join(folder, 'none'), 1000);
    prospects = new Prospects({ store, maildirs: new Maildirs(join(folder, 'mail')) }, 'seed', { delayMs: 0 });
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(302, { location: '/followed' }).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(async () => {
    await prospects.stop();
    server.close();
    await rm(folder, { recursive: true });
  });

  const mail = (to: string, ...more: Header[]): Buffer =>
    message(
      [['From', 'Me <me@sender.test>'], ['To', to], ['Subject', 'Hello'], ['Message-ID', '<m1@sender.test>'], ...more],
      multipart('alternative', 'b', [
        text('plain', 'Hello'),
        text(
          'html',
          `<a href="${site}/unsubscribe/1">no</a><a href='${site}/c/1?a=1&amp;b=2'>yes</a><a href="https://example.com/x">out</a>` +
            `<img width=1 src=${site}/o/1.gif>`,
        ),
      ]),
    );

  /** Returns the mailbox content after all actions of the prospect. */
  async function after(
    to: string,
    raw: Buffer,
    envelopeFrom = 'me@sender.test',
    mailbox = envelopeFrom,
    placed: AcceptedMail['placed'] = {},
  ): Promise<Email[]> {
    const path = join(folder, 'mail', mailbox, 'Maildir/new');
    const before = new Set(await readdir(path).catch(() => []));
    prospects.receive({ from: envelopeFrom, to: [to], placed }, raw);
    while (prospects.pending > 0) await new Promise((done) => setImmediate(done));
    const names = (await readdir(path).catch((): string[] => [])).filter((name) => !before.has(name));
    return Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(path, name)))));
  }

  it('open a mail by loading its images', async () => {
    await after('open.a@prospects.test', mail('open.a@prospects.test'));
    expect(asked).toEqual(['GET /o/1.gif']);
  });

  it('ignore their spam folder, and read their promotions', async () => {
    const to = 'open.a@prospects.test';
    await after(to, mail(to), undefined, undefined, { [to]: 'spam' });
    expect(asked).toEqual([]);
    await after(to, mail(to), undefined, undefined, { [to]: 'promotions' });
    expect(asked).toEqual(['GET /o/1.gif']);
  });

  it('click the first link that is neither an opt-out nor a redirect', async () => {
    await after('click.a@prospects.test', mail('click.a@prospects.test'));
    expect(asked).toEqual(['GET /o/1.gif', 'GET /c/1?a=1&b=2']);
  });

  it('scan by requesting everything twice', async () => {
    await after('scanner.a@prospects.test', mail('scanner.a@prospects.test'));
    expect(asked.sort()).toEqual(
      ['GET', 'HEAD'].flatMap((method) =>
        ['/c/1?a=1&b=2', '/o/1.gif', '/unsubscribe/1'].map((path) => `${method} ${path}`),
      ),
    );
  });

  it('use one-click unsubscribe only when the sender offers it', async () => {
    const to = 'one-click.a@prospects.test';
    const link: Header = ['List-Unsubscribe', `<mailto:x@sender.test>, <${site}/u/1>`];
    await after(to, mail(to, link));
    expect(asked).toEqual(['GET /o/1.gif']);
    await after(to, mail(to, link, ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click']));
    expect(asked.at(-1)).toBe('POST /u/1');
    expect(bodies.at(-1)).toBe('List-Unsubscribe=One-Click');
  });

  it('reply once to the inbox in Reply-To', async () => {
    const to = 'reply-positive.a@prospects.test';
    const raw = mail(to, ['Reply-To', 'Other@Sender.test']);
    const [answer] = await after(to, raw, 'me@sender.test', 'other@sender.test');
    expect(answer).toMatchObject({ inReplyTo: '<m1@sender.test>', from: { address: to } });
    expect(await after(to, raw, 'me@sender.test', 'other@sender.test')).toEqual([]);
    expect(store.find({ to: 'other@sender.test', limit: 5 })).toMatchObject([{ origin: 'prospect' }]);
  });

  it.each(['bounce-postfix.a', 'bounce-qmail.a', 'delayed-gmail.a', 'complain.a', 'ooo-pl.a'])(
    '%s writes to the envelope sender',
    async (local) => {
      const to = `${local}@prospects.test`;
      expect(await after(to, mail(to), 'verp+1@sender.test')).toHaveLength(1);
    },
  );

  it('never answer a bounce, an auto-reply or each other, and exist in their domain only', async () => {
    const to = 'reply-positive.b@prospects.test';
    expect(await after(to, mail(to), '', 'me@sender.test')).toEqual([]);
    expect(await after(to, mail(to, ['Auto-Submitted', 'auto-replied']))).toEqual([]);
    expect(await after(to, mail(to), 'ooo-en.x@prospects.test')).toEqual([]);
    expect(await after('reply-positive.b@elsewhere.test', mail(to))).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('request no other machine', () => {
    for (const url of ['http://localhost:1/a', 'https://127.0.0.1/', 'http://[::1]:3/', 'http://127.9.9.9/'])
      expect(isLoopback(url)).toBe(true);
    for (const url of [
      'http://localhost.evil.test/',
      'http://127.0.0.1.evil.test/',
      'ftp://localhost/',
      'http://10.0.0.1/',
      'x',
    ])
      expect(isLoopback(url)).toBe(false);
  });

  it('find links and images in any notation', () => {
    const html = `<A class=x HREF = 'https://a.test/?x&#61;1'>a</A><a\nhref=http://b.test/>b</a><a href="mailto:x@y">m</a><a href="https://a.test/?x=1"><img alt="src=no" src="https://i.test/&#x41;.gif">`;
    expect(linksIn(html)).toEqual(['https://a.test/?x=1', 'http://b.test/']);
    expect(imagesIn(html)).toEqual(['https://i.test/A.gif']);
  });
});
