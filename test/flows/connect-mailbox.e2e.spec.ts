import { randomUUID } from 'node:crypto';
import { MailboxMessageRecord } from '@domain/mailboxes';
import { getModelToken } from '@nestjs/mongoose';
import { DeadJobQueue } from '@platform/queues';
import { eventually, mailSandbox } from '@testing';
import { ImapFlow } from 'imapflow';
import { type Model } from 'mongoose';
import { type Outreach } from '@outreach/client';
import { createClient, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { connected, type Mailbox, newAddress } from '../mailboxes/sandbox';

describe('a mailbox, from its connection to the reply to its mail', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: Mailbox;
  let outreach: Outreach;
  let messages: Model<MailboxMessageRecord>;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    workspace = await platform.seed.workspace();
    outreach = createClient(platform, workspace.key);
    messages = platform.app.get(getModelToken(MailboxMessageRecord.name), { strict: false });
    mailbox = await connected(platform, workspace, { displayName: 'Grace Hopper' });
    await platform.listen();
  });
  afterAll(() => platform.close());

  const api = () => platform.api.as(workspace.key);
  const received = () => messages.find({ workspaceId: workspace.workspaceId }).sort({ receivedAt: 1 }).lean();
  const deliver = async (raw: string, folder = 'INBOX'): Promise<void> => {
    const url = `${mailSandbox().webUrl}/api/deliver?to=${encodeURIComponent(mailbox.email)}&folder=${folder}`;
    const answer = await fetch(url, { method: 'POST', body: raw.replaceAll('\n', '\r\n') });
    expect(answer.status).toBe(201);
  };
  const incoming = (subject: string): string =>
    `From: Ada <ada@elsewhere.test>\nTo: <${mailbox.email}>\nSubject: ${subject}\nMessage-ID: <${randomUUID()}@e.test>\n\nHello\n`;

  it('sends a message that its recipient finds by IMAP', async () => {
    const reader = newAddress('reader');
    const { sent } = await outreach.mailboxes.test(mailbox._id, { sendTo: reader });
    expect(sent).toMatchObject({
      to: reader,
      outcome: 'accepted',
      response: expect.stringMatching(/^250/) as string,
    });
    const found = await readByImap(reader);
    expect(found).toMatchObject({
      from: [{ name: 'Grace Hopper', address: mailbox.email }],
      messageId: sent?.messageId,
    });
    expect(await outreach.mailboxes.get(mailbox._id)).toMatchObject({ sentToday: 1, totalSent: 1 });
  });

  it('reads a prospect’s reply without a request', async () => {
    const prospect = `reply-positive.${randomUUID()}@prospects.test`;
    const { sent } = await outreach.mailboxes.test(mailbox._id, { sendTo: prospect });
    await eventually('the reply is stored', async () =>
      (await received()).some(({ inReplyTo }) => inReplyTo === sent?.messageId),
    );
    const { totalReceived } = await outreach.mailboxes.get(mailbox._id);
    expect(totalReceived).toBeGreaterThanOrEqual(1);
    const { lastSyncedAt } = await outreach.mailboxes.settings(mailbox._id);
    expect(Date.parse(lastSyncedAt ?? '')).toBeGreaterThan(0);
  });

  it('reads each message once, from the inbox and from the junk folder', async () => {
    const before = (await received()).length;
    await deliver(incoming('Into the inbox'));
    await deliver(incoming('Into junk'), 'Junk');
    // Mail in folders other than the inbox is found by the next poll, which this is.
    await deliver(incoming('Into the inbox again'));
    await eventually('all three messages are stored', async () => (await received()).length === before + 3);
    const roles = (await received()).slice(before).map(({ role }) => role);
    expect(roles.filter((role) => role === 'inbox')).toHaveLength(2);
    expect(roles).toContain('junk');
  });

  it('reads a malformed message and the one after it', async () => {
    const before = (await received()).length;
    await deliver('Content-Type: multipart/mixed; boundary="\nFrom: <<<\nDate: never\n\n--\n');
    await deliver(incoming('Behind a broken one'));
    await eventually('both messages are stored', async () => (await received()).length === before + 2);
  });

  it('exposes its password nowhere', async () => {
    const { password } = mailSandbox();
    const answers = await Promise.all(
      ['', `/${mailbox._id}`, `/${mailbox._id}/settings`, `/${mailbox._id}/analytics`].map((path) =>
        api().get(`/v1/mailboxes${path}`),
      ),
    );
    const audit = await api().get('/v1/audit');
    const dead = await platform.app.get(DeadJobQueue, { strict: false }).newest(100);
    const collections = await messages.db.db!.collections();
    const stored = await Promise.all(collections.map((collection) => collection.find().toArray()));
    const everything = [...answers, audit]
      .map(({ text }) => text)
      .concat(platform.logged(), JSON.stringify([dead, stored]));
    const forms = [
      password,
      Buffer.from(password).toString('base64'),
      Buffer.from(`\0${mailbox.email}\0${password}`).toString('base64'),
    ];
    // Not printed on failure: the text contains all data of the platform.
    const leaks = everything.map((text) => forms.some((form) => text.includes(form)));
    expect(leaks).toEqual(everything.map(() => false));
  });

  /** The newest message of an address, as a mail client shows it. */
  async function readByImap(address: string) {
    const { imap, password } = mailSandbox();
    const auth = { user: address, pass: password };
    const client = new ImapFlow({ host: 'localhost', port: imap.tlsPort, secure: true, auth, logger: false });
    await client.connect();
    try {
      await client.mailboxOpen('INBOX');
      const message = await client.fetchOne('*', { envelope: true });
      return message ? message.envelope : null;
    } finally {
      await client.logout();
    }
  }
});
