import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Maildirs } from '../maildir.mts';
import { PlacementPolicies } from '../placement-policies.mts';
import { MessageStore } from '../store.mts';
import { html } from './html.mts';
import { startWeb, type WebServer } from './server.mts';

interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const SCRIPT = '<script>alert(1)</script>';
const HOSTILE = [
  `From: "${SCRIPT}" <evil"onload=x@x.test>`,
  `Subject: ${SCRIPT}<img src=x onerror=alert(1)>`,
  `Message-ID: <"><svg onload=alert(1)>@x.test>`,
  `X-"><b onmouseover=alert(1)>: ${SCRIPT}`,
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: multipart/alternative; boundary=c',
  '',
  '--c',
  'Content-Type: text/plain; charset=utf-8',
  '',
  `</pre>${SCRIPT}`,
  '--c',
  'Content-Type: text/html; charset=utf-8',
  '',
  `<p>Grüße</p>${SCRIPT}<a href="javascript:alert(1)">a</a><a href="https://t.test/?a=1&amp;b=2">b</a>`,
  `<img src="https://t.test/p.gif"><img src="cid:logo@x">`,
  '--c--',
  '--b',
  'Content-Type: image/png',
  'Content-ID: <logo@x>',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw0KGgo=',
  '--b',
  `Content-Type: application/x-evil`,
  `Content-Disposition: attachment; filename="${SCRIPT.replaceAll('"', '')}.html"`,
  '',
  'x',
  '--b--',
  '',
].join('\r\n');

describe('the web view', () => {
  let folder: string;
  let web: WebServer;
  let store: MessageStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'web-'));
    store = await MessageStore.open(join(folder, 'messages'), join(folder, 'none.jsonl'), 5);
    const placements = new PlacementPolicies(join(folder, 'placement.json'), 'seed');
    web = await startWeb({ store, maildirs: new Maildirs(join(folder, 'mail')), placements }, 0);
  });
  afterAll(async () => {
    await web.close();
    await rm(folder, { recursive: true });
  });

  const ask = (method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Got> =>
    new Promise((done, failed) => {
      const sent = request({ host: '127.0.0.1', port: web.port, method, path, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      sent.on('error', failed).end(body);
    });

  const deliver = async (to: string, raw: string, query = ''): Promise<string> => {
    const { status, text } = await ask('POST', `/api/deliver?to=${encodeURIComponent(to)}${query}`, raw);
    expect(status).toBe(201);
    return (JSON.parse(text) as { id: string }).id;
  };

  it('shows an empty list, then the newest mails first, by recipient', async () => {
    expect((await ask('GET', '/')).text).toContain('Nothing has arrived yet');
    await deliver('ann@x.test', 'Subject: First\r\n\r\n');
    await deliver('bob@x.test', 'Subject: =?utf-8?B?R3LDtsOfZQ==?=\r\n\r\n');
    const all = (await ask('GET', '/')).text;
    expect(all.indexOf('Größe')).toBeGreaterThan(0);
    expect(all.indexOf('Größe')).toBeLessThan(all.indexOf('First'));
    const anns = (await ask('GET', '/?to=ANN')).text;
    expect(anns).toContain('First');
    expect(anns).not.toContain('Größe');
    expect((await ask('GET', `/?to=${encodeURIComponent(SCRIPT)}`)).text).not.toContain(SCRIPT);
  });

  it('shows placements other than the inbox', async () => {
    const facts = {
      origin: 'smtp',
      time: '2026-01-01T00:00:00.000Z',
      from: 'a@x.test',
      messageId: '<p>',
      subject: 'P',
    } as const;
    const id = store.newId();
    await store.write(id, Buffer.from('Subject: P\r\n\r\n'));
    store.add({ ...facts, id, to: ['placed@x.test'], size: 14, placed: { 'placed@x.test': 'promotions' } });
    expect((await ask('GET', '/?to=placed@x.test')).text).toContain('<span class="tag">promotions</span>');
    expect((await ask('GET', `/messages/${id}`)).text.replace(/\s+/g, ' ')).toContain(
      '<th>In promotions</th> <td>of placed@x.test</td>',
    );
  });

  it('escapes markup and scripts in messages', async () => {
    const id = await deliver(`"${SCRIPT}"@x.test`, HOSTILE);
    for (const path of ['/', `/messages/${id}`, `/messages/${id}?images=1`]) {
      const { text, headers } = await ask('GET', path);
      expect(text).not.toMatch(/<script|<svg|<img|<b onmouseover|href="javascript:/i);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toMatch(/script-src|unsafe/);
    }
    const page = (await ask('GET', `/messages/${id}`)).text;
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('href="https://t.test/?a=1&amp;b=2"');
    expect(page).toContain('application/x-evil');
  });

  it('shows the HTML in a frame without scripts, with remote images on request only', async () => {
    const id = await deliver('frame@x.test', HOSTILE);
    const page = (await ask('GET', `/messages/${id}`)).text;
    expect(page.replace(/\s+/g, ' ')).toContain(
      `<iframe sandbox="" referrerpolicy="no-referrer" src="/messages/${id}/html"`,
    );
    expect(page).toContain('1 remote image is not loaded');
    const closed = await ask('GET', `/messages/${id}/html`);
    const policy = String(closed.headers['content-security-policy']);
    expect(policy).toMatch(/img-src data:;/);
    expect(policy).toMatch(/; sandbox$/);
    expect(policy).not.toContain('script-src');
    expect(closed.text).toContain('Grüße');
    expect(closed.text).toContain('src="data:image/png;base64,iVBORw0KGgo="');
    const open = await ask('GET', `/messages/${id}/html?images=1`);
    expect(open.headers['content-security-policy']).toContain('img-src data: http: https:;');
  });

  it('shows the source as text, whatever it contains', async () => {
    const id = await deliver('raw@x.test', HOSTILE);
    const { headers, text } = await ask('GET', `/messages/${id}/raw`);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(text).toBe(HOSTILE);
  });

  it('shows a message that is not MIME', async () => {
    const id = await deliver('broken@x.test', '\u0000\u0001\uFFFD no headers, nothing');
    expect((await ask('GET', `/messages/${id}`)).status).toBe(200);
    expect((await ask('GET', '/')).text).toContain('(no subject)');
  });

  it.each(['/messages/../../etc/passwd', '/messages/..%2f..%2fx/raw', '/api/messages/..%2F..%2Fx/raw', '/nothing'])(
    'has nothing at %s',
    async (path) => {
      expect((await ask('GET', path)).status).toBe(404);
    },
  );

  it('shows the source of a message that is too deeply nested', async () => {
    const levels = Array.from(
      { length: 60 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    );
    const id = await deliver('ann@x.test', `Subject: Matryoshka\r\n${levels.join('')}\r\nthe smallest\r\n`);
    for (const path of [`/messages/${id}`, `/messages/${id}/html`, `/api/messages/${id}`]) {
      expect([path, (await ask('GET', path)).status]).toEqual([path, 200]);
    }
    expect((await ask('GET', `/messages/${id}`)).text).toMatch(/<pre>Subject: Matryoshka[^<]*the smallest/);
    expect(JSON.parse((await ask('GET', `/api/messages/${id}`)).text)).toMatchObject({ html: null, attachments: [] });
  });

  it('drops the oldest mails beyond its limit', async () => {
    for (let n = 0; n < 7; n++) await deliver('many@x.test', `Subject: ${n}\r\n\r\n`);
    expect(store.count).toBe(5);
    expect((await ask('GET', '/?to=many')).text).toContain('5 of 5 shown');
  });

  it('serves this machine only: no other host name and no other site', async () => {
    expect((await ask('GET', '/', undefined, { host: 'rebound.example' })).status).toBe(421);
    const foreign = { origin: 'https://evil.example' };
    expect((await ask('POST', '/api/deliver?to=a@x.test', 'Subject: x\r\n\r\n', foreign)).status).toBe(403);
    expect((await ask('DELETE', '/api/mailboxes/a@x.test', undefined, foreign)).status).toBe(403);
  });

  describe('its control API', () => {
    it('finds messages by recipient, sender and Message-ID', async () => {
      const id = await deliver('api@x.test', 'From: A <sender@y.test>\r\nMessage-ID: <api1@y.test>\r\n\r\nhello');
      for (const query of [
        'to=api@x.test',
        'from=sender@y.test',
        'messageId=%3Capi1@y.test%3E',
        'messageId=api1@y.test',
      ]) {
        const { messages } = JSON.parse((await ask('GET', `/api/messages?${query}`)).text) as { messages: object[] };
        expect(messages).toMatchObject([{ id, origin: 'api', to: ['api@x.test'], messageId: '<api1@y.test>' }]);
      }
      expect((await ask('GET', `/api/messages/${id}/raw`)).text).toContain('hello');
      expect(JSON.parse((await ask('GET', `/api/messages/${id}`)).text)).toMatchObject({
        id,
        text: expect.stringContaining('hello') as string,
        html: null,
        headers: [{ name: 'from', value: 'A <sender@y.test>' }, { name: 'message-id' }],
      });
      expect((await ask('GET', '/api/messages/0000000000000000/raw')).status).toBe(404);
      expect((await ask('GET', '/api/messages?limit=x')).status).toBe(400);
    });

    it('moves a message to a folder, and rejects a folder outside the mailbox', async () => {
      await deliver('place@x.test', 'Subject: x\r\n\r\n', '&folder=Junk');
      const names = await readdir(join(folder, 'mail/place@x.test/Maildir/Junk/new'));
      expect(await readFile(join(folder, 'mail/place@x.test/Maildir/Junk/new', names[0]!), 'utf8')).toContain(
        'Subject: x',
      );
      expect((await ask('POST', '/api/deliver?to=a@x.test&folder=../../x', 'x')).status).toBe(400);
      expect((await ask('POST', '/api/deliver', 'x')).status).toBe(400);
      expect((await ask('POST', '/api/deliver?to=a@x.test', '')).status).toBe(400);
    });

    it('fills a folder and deletes a mailbox', async () => {
      const { status } = await ask('POST', '/api/deliver-many?to=full@x.test&count=500&bytes=2000');
      expect(status).toBe(201);
      const files = await readdir(join(folder, 'mail/full@x.test/Maildir/cur'));
      expect(files).toHaveLength(500);
      const one = await readFile(join(folder, 'mail/full@x.test/Maildir/cur', files[0]!), 'utf8');
      expect(one).toMatch(/^Message-ID: <\w+\.\d+@generated\.test>\r$/m);
      expect(one.length).toBeGreaterThan(2000);
      expect((await ask('DELETE', '/api/mailboxes/full%40x.test')).text).toContain('true');
      expect((await ask('DELETE', '/api/mailboxes/full@x.test')).text).toContain('false');
    });

    it.each(['mailboxes', 'senders'])('sets, shows and removes the placement of %s', async (owner) => {
      const path = `/api/${owner}/place%40x.test/placement`;
      expect((await ask('GET', path)).status).toBe(404);
      const { status, text } = await ask('PUT', path, '{"spam": 0.3, "promotions": 0.2}');
      expect([status, JSON.parse(text)]).toEqual([200, { spam: 0.3, promotions: 0.2 }]);
      expect(JSON.parse((await ask('PUT', path, '{"spam": 1}')).text)).toEqual({ spam: 1, promotions: 0 });
      expect(JSON.parse((await ask('GET', path)).text)).toEqual({ spam: 1, promotions: 0 });
      expect(JSON.parse((await ask('DELETE', path)).text)).toEqual({ deleted: true });
      expect(JSON.parse((await ask('DELETE', path)).text)).toEqual({ deleted: false });
      expect((await ask('POST', path, '{}')).status).toBe(404);
    });

    it.each([
      '',
      '[',
      'null',
      '3',
      '{"spam": "1"}',
      '{"spam": -0.1}',
      '{"spam": 0.6, "promotions": 0.5}',
      '{"junk": 1}',
    ])('rejects %j as a placement', async (body) => {
      expect((await ask('PUT', '/api/mailboxes/a@x.test/placement', body)).status).toBe(400);
    });

    it('creates the promotions folder before the first message, and drops the placement with the mailbox', async () => {
      const path = '/api/mailboxes/promoted@x.test';
      await ask('PUT', `${path}/placement`, '{"promotions": 0.5}');
      expect(await readdir(join(folder, 'mail/promoted@x.test/Maildir/Promotions'))).toEqual(
        expect.arrayContaining(['cur', 'new', 'tmp']),
      );
      await ask('DELETE', path);
      expect((await ask('GET', `${path}/placement`)).status).toBe(404);
    });

    it('passes the valid tokens to the IMAP server', async () => {
      const token = async (value: string): Promise<string> =>
        (await ask('GET', '/oauth/introspect', undefined, { authorization: `Bearer ${value}` })).text;
      expect(JSON.parse(await token('secret-token'))).toMatchObject({ active: true });
      expect(JSON.parse(await token('expired-token'))).toMatchObject({ active: false });
    });

    it('is healthy', async () => {
      expect(JSON.parse((await ask('GET', '/health')).text)).toMatchObject({ status: 'ok', prospectsPending: 0 });
    });
  });
});

describe('markup', () => {
  it('escapes all values except markup, and omits absent ones', () => {
    expect(html`<a href="${'"><x>'}">${"'&"}${undefined}${false}${0}${html`<b>${'<'}</b>`}</a>`.text).toBe(
      '<a href="&quot;&gt;&lt;x&gt;">&#39;&amp;0<b>&lt;</b></a>',
    );
  });
});
