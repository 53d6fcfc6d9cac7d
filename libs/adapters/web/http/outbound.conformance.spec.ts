import { OutboundHttpClient } from '@platform/outbound';
import { describeWebPages } from '../conformance/web-conformance';
import { SiteServer } from '../testing/site-server';
import { OutboundPagesDriver } from './outbound-pages.driver';

const closedServer = async (): Promise<string> => {
  const server = await SiteServer.start();
  await server.close();
  return server.url('/');
};

describeWebPages('HTTP', async () => {
  const server = await SiteServer.start();
  const nowhere = await closedServer();
  const http = new OutboundHttpClient({ allowPrivate: true });
  return {
    pages: new OutboundPagesDriver(http, 'Tests/1.0'),
    address: (path) => server.url(path),
    serves: (path, page) => server.put(path, page),
    hangs: (path) => server.answer(path, () => undefined),
    nowhere: () => nowhere,
    close: async () => {
      await http.onModuleDestroy();
      await server.close();
    },
  };
});

describe('OutboundPagesDriver', () => {
  it('sends its user agent, requests no compression, and connects to no forbidden network', async () => {
    const server = await SiteServer.start();
    const open = new OutboundHttpClient({ allowPrivate: true });
    const guarded = new OutboundHttpClient({ allowPrivate: false });
    const question = { url: server.url('/'), timeoutMs: 10_000, maxBytes: 100 };
    await new OutboundPagesDriver(open, 'OutreachBot/1.0 (+https://acme.test/bot)').fetch(question);
    const [{ headers } = { headers: {} }] = server.asked;
    expect(headers).toMatchObject({
      'user-agent': 'OutreachBot/1.0 (+https://acme.test/bot)',
      'accept-encoding': 'identity',
    });
    const refused = { kind: 'unanswered', reason: 'address_refused' };
    expect(await new OutboundPagesDriver(guarded, 'x').fetch(question)).toEqual(refused);
    expect(await new OutboundPagesDriver(open, 'x').fetch({ ...question, url: 'file:///etc/passwd' })).toEqual(refused);
    expect(server.asked).toHaveLength(1);
    await Promise.all([open.onModuleDestroy(), guarded.onModuleDestroy(), server.close()]);
  });
});
