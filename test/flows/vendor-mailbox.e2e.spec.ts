import { randomUUID } from 'node:crypto';
import { EventRecord } from '@domain/events';
import { MailboxMessageRecord, MailboxWatcherService } from '@domain/mailboxes';
import { getModelToken } from '@nestjs/mongoose';
import { eventually } from '@testing';
import { type Model } from 'mongoose';
import {
  type GmailServer,
  type GraphServer,
  startGmailServer,
  startGraphServer,
} from '../../libs/adapters/mail/testing';
import { OAuthServer, type VendorAccount } from '../../libs/domain/mailboxes/testing';
import { type Platform, startPlatform } from '../harness';
import { OAuthConsents } from '../mailboxes/oauth';

interface TestAnswer {
  outgoing: { ok: boolean; error: { response: string | null } | null };
  sent: { messageId: string; outcome: string } | null;
}

/** The mailbox at the vendor. */
interface VendorMailbox {
  tokens: Set<string>;
  sent(): string[];
  receive(raw: Buffer): Promise<void>;
}

let oauth: OAuthServer;
let gmail: GmailServer;
let graph: GraphServer;
let platform: Platform;

beforeAll(async () => {
  [oauth, gmail, graph] = await Promise.all([OAuthServer.start(), startGmailServer(), startGraphServer()]);
  const env = { ...oauth.env, GMAIL_API_URL: gmail.url, GRAPH_API_URL: graph.url };
  platform = await startPlatform({ worker: true, env });
});
afterAll(async () => {
  await platform.close();
  await Promise.all([oauth.close(), gmail.close(), graph.close()]);
});

describe.each(['google', 'microsoft'] as const)('a mailbox at %s, from its consent to the revocation', (vendor) => {
  let mine: OAuthConsents;
  let account: VendorAccount;
  let theirs: VendorMailbox;
  let mailboxId: string;

  beforeAll(async () => {
    mine = new OAuthConsents(platform, oauth, await platform.seed.workspace());
    const address = `${randomUUID()}@${vendor}.test`;
    theirs = vendor === 'google' ? atGoogle(address) : atMicrosoft(address);
    account = oauth.account(vendor, address, theirs.tokens);
  });

  function atGoogle(address: string): VendorMailbox {
    const tokens = new Set<string>();
    const mailbox = gmail.mailbox(address, tokens);
    return {
      tokens,
      sent: () => mailbox.sent.map(({ messageId }) => messageId.replaceAll(/[<>]/g, '')),
      receive: async (raw) => void mailbox.deliver(raw),
    };
  }

  function atMicrosoft(address: string): VendorMailbox {
    const mailbox = graph.mailbox(address);
    return {
      tokens: mailbox.tokens,
      sent: () => mailbox.accepted.map(({ messageId }) => messageId.replaceAll(/[<>]/g, '')),
      receive: async (raw) => void (await mailbox.store(raw)),
    };
  }

  const test = async (sendTo?: string): Promise<TestAnswer> => {
    const { body } = await mine.api.post(`/v1/mailboxes/${mailboxId}/test`).send(sendTo ? { sendTo } : {});
    return (body as { data: TestAnswer }).data;
  };
  const model = <T>(record: { name: string }) =>
    platform.app.get<Model<T>>(getModelToken(record.name), { strict: false });
  const events = () => model<EventRecord>(EventRecord).distinct('type', { workspaceId: mine.workspace.workspaceId });
  const received = () =>
    model<MailboxMessageRecord>(MailboxMessageRecord).find({ workspaceId: mine.workspace.workspaceId }).lean();

  it('is connected by consent', async () => {
    const { session } = await mine.connect(account);
    expect(session).toMatchObject({ status: 'completed', error: null });
    mailboxId = session.mailboxId ?? '';
    expect(await mine.mailbox(mailboxId)).toMatchObject({
      provider: vendor,
      connectionType: 'oauth',
      status: 'active',
    });
  });

  it('sends an email once', async () => {
    const { sent } = await test('reader@elsewhere.test');
    expect(sent).toMatchObject({ outcome: 'accepted' });
    await eventually('the vendor has sent it', () => theirs.sent().length > 0);
    expect(theirs.sent()).toEqual([sent?.messageId.replaceAll(/[<>]/g, '')]);
  });

  it('reads each message once', async () => {
    const mail = (id: string) =>
      Buffer.from(`From: a@e.test\r\nMessage-ID: <${id}@e.test>\r\nSubject: ${id}\r\n\r\nHello\r\n`);
    await theirs.receive(mail('first'));
    await platform.listen();
    await eventually('the first message is stored', async () => (await received()).length === 1);
    await theirs.receive(mail('second'));
    // Vendors are polled once a minute; a worker that acquires the lease polls at once.
    await platform.worker?.get(MailboxWatcherService, { strict: false }).stop();
    await platform.listen();
    await eventually('the second message is stored', async () => (await received()).length === 2);
    expect((await received()).map(({ subject }) => subject).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'first',
      'second',
    ]);
  });

  it('continues with a new token when the old one is rejected', async () => {
    theirs.tokens.clear();
    const before = oauth.requests.length;
    expect(await test('reader@elsewhere.test')).toMatchObject({
      outgoing: { ok: true },
      sent: { outcome: 'accepted' },
    });
    expect(oauth.requests.slice(before).map(({ grant_type }) => grant_type)).toEqual(['refresh_token']);
  });

  it('is disconnected when the consent is revoked, gives the reason, and sends nothing', async () => {
    theirs.tokens.clear();
    account.refreshTokens.clear();
    const sentBefore = theirs.sent().length;
    expect(await test('reader@elsewhere.test')).toMatchObject({ outgoing: { ok: false }, sent: null });
    expect(await mine.mailbox(mailboxId)).toMatchObject({
      status: 'disconnected',
      lastError: { response: expect.stringContaining('expired or revoked') as string },
    });
    expect(await events()).toContain('mailbox.disconnected');
    expect(theirs.sent()).toHaveLength(sentBefore);
  });

  it('is the same mailbox after a new consent', async () => {
    const { session } = await mine.connect(account, { mailboxId });
    expect(session).toMatchObject({ status: 'completed', mailboxId });
    expect(await mine.mailbox(mailboxId)).toMatchObject({ status: 'active', lastError: null });
    expect(await events()).toContain('mailbox.reconnected');
    expect(await test()).toMatchObject({ outgoing: { ok: true } });
  });

  it('shows no token in its log, event records or responses', async () => {
    const { db } = model<EventRecord>(EventRecord).db;
    const stored = await Promise.all((await db!.collections()).map((collection) => collection.find().toArray()));
    const answers = [await mine.api.get('/v1/mailboxes'), await mine.api.get('/v1/audit')].map(({ text }) => text);
    const everything = [platform.logged(), JSON.stringify(stored), ...answers];
    expect(everything.map((text) => /(access|refresh|code|secret)-canary/.test(text))).toEqual(
      everything.map(() => false),
    );
  });
});
