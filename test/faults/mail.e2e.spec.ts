import { randomUUID } from 'node:crypto';
import { MailboxMessageRecord } from '@domain/mailboxes';
import { getModelToken } from '@nestjs/mongoose';
import { eventually, FaultProxy, mailSandbox } from '@testing';
import { type Model } from 'mongoose';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { bsonField } from './bson-field';
import { PlatformProcess } from './processes';

/** More than one batch. */
const MANY = 450;
const INSERT_OF_MESSAGES = bsonField({ insert: 'mailbox_messages' });

describe('incoming mail during failures', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let messages: Model<MailboxMessageRecord>;
  let imap: FaultProxy;
  let mailbox: Mailbox;

  beforeAll(async () => {
    platform = await startPlatform({ worker: true });
    messages = platform.app.get(getModelToken(MailboxMessageRecord.name), { strict: false });
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    imap = new FaultProxy(`imap://127.0.0.1:${mailSandbox().imap.tlsPort}`);
    const { hostname, port } = new URL(await imap.start());
    mailbox = await connected(platform, workspace, { imapHost: hostname, imapPort: Number(port) });
  });
  afterEach(async () => {
    platform.clock.reset();
    await platform.api.as(workspace.key).delete(`/v1/mailboxes/${mailbox._id}`);
    await platform.listen();
    await imap.cut();
  });
  afterAll(() => platform.close());

  const ofWorkspace = () => ({ workspaceId: workspace.workspaceId });
  const kept = () => messages.countDocuments(ofWorkspace());
  const control = async (path: string): Promise<void> => {
    const answer = await fetch(`${mailSandbox().webUrl}/api/${path}`, { method: 'POST', body: incoming() });
    if (!answer.ok) throw new Error(await answer.text());
  };
  const address = () => encodeURIComponent(mailbox.email);
  const incoming = (): string => `From: a@e.test\r\nMessage-ID: <${randomUUID()}@e.test>\r\n\r\nHello\r\n`;
  const deliver = () => control(`deliver?to=${address()}`);
  const deliverMany = (count: number) => control(`deliver-many?to=${address()}&count=${count}`);
  const state = async (): Promise<string> => {
    const { body } = await platform.api.as(workspace.key).get(`/v1/mailboxes/${mailbox._id}/settings`);
    return (body as { data: { connection: { state: string } } }).data.connection.state;
  };

  /** Starts a worker that is killed at this message to MongoDB, which has carried it out or not. */
  async function diesAt(database: FaultProxy, text: string, carriedOut: boolean): Promise<void> {
    const doomed = await PlatformProcess.of('worker', platform.config, { MONGODB_URI: await database.start() });
    const reached = database.at(text, 'silence', { carriedOut });
    doomed.launch();
    try {
      await reached;
    } finally {
      await doomed.end('SIGKILL');
      await database.restore();
      await database.cut();
    }
    // Advances past the time after which the worker counts as crashed.
    await messages.db.collection('cluster_members').deleteMany({});
  }

  it('is read once when the connection is cut while the worker listens', async () => {
    await platform.listen();
    await deliver();
    await eventually('the first message is stored', async () => (await kept()) === 1);
    await imap.cut();
    await deliver();
    await imap.restore();
    await eventually('the second message is stored', async () => (await kept()) === 2);
    expect(await state()).toBe('connected');
  });

  it('is read once after the mailbox was unreachable for a while, without any request', async () => {
    await platform.listen();
    await imap.cut();
    await eventually('the mailbox is degraded', async () => (await state()) === 'degraded');
    await deliver();
    await imap.restore();
    platform.clock.advance(3 * 60_000);
    await platform.tick();
    await platform.drain();
    await eventually('the mailbox is connected', async () => (await state()) === 'connected');
    await platform.listen();
    await eventually('the message is stored', async () => (await kept()) === 1);
  });

  it('is read once when the folder gets a new UIDVALIDITY', async () => {
    await deliverMany(20);
    await platform.listen();
    await eventually('all messages are stored', async () => (await kept()) === 20);
    await imap.cut();
    await control(`mailboxes/${address()}/uidvalidity`);
    await deliver();
    await imap.restore();
    await eventually('the new message is stored', async () => (await kept()) === 21);
    expect(await messages.distinct('fingerprint', ofWorkspace())).toHaveLength(21);
  });

  it('is read once when the worker is killed during a batch, and when it is killed after it', async () => {
    await deliverMany(MANY);
    const database = new FaultProxy(platform.config.mongodbUri);
    await diesAt(database, INSERT_OF_MESSAGES, false);
    await diesAt(database, 'commitTransaction', true);
    const successor = await PlatformProcess.of('worker', platform.config);
    await successor.start();
    try {
      await eventually('all messages are stored', async () => (await kept()) === MANY, 60_000);
    } finally {
      expect(await successor.end('SIGTERM')).toBe(0);
    }
    expect(await messages.distinct('fingerprint', ofWorkspace())).toHaveLength(MANY);
    expect(await kept()).toBe(MANY);
  });
});
