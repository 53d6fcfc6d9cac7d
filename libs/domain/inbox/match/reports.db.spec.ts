import { SendRecord } from '@domain/sends';
import { Suppressions } from '@domain/suppressions';
import { TrackingTokens } from '@domain/tracking';
import { Types } from 'mongoose';
import { ReplyAddressing } from '../replies/reply.addressing.service';
import { InboxFixture, type Written } from '../testing/inbox.fixture';
import { bounce, complaint } from '../testing/mails';

const ADA = 'ada@acme.test';
const DAY_MS = 86_400_000;
const UNKNOWN = { status: '5.1.1', diagnostic: '550 5.1.1 User unknown in local recipient table' };
const STRANGE_ID = '<forged@evil.test>';

describe('a report of a mail server', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(() => inbox.fresh());

  const isSuppressed = (email: string) => inbox.get(Suppressions).isSuppressed(inbox.workspaceId, email);
  const sentDaysAgo = async (written: Written, days: number) => {
    const at = new Date(inbox.clock.now().getTime() - days * DAY_MS);
    await inbox
      .model<SendRecord>(SendRecord)
      .updateOne({ _id: written.send._id, workspaceId: inbox.workspaceId }, { $set: { sentAt: at, wireAt: at } });
  };
  /** What a report has changed of a lead, its address and its figures. */
  const changed = async (written: Written) => {
    const { stats } = await inbox.stats(written);
    const { status } = await inbox.lead(written);
    const { returned } = await inbox.sendOf(written);
    return {
      status,
      suppressed: await isSuppressed(written.send.email),
      counted: stats.bounced + stats.complained,
      returned: returned?.verdict ?? null,
      events: (await inbox.events()).map(({ type }) => type),
    };
  };
  const UNCHANGED = { status: 'active', suppressed: false, counted: 0, returned: null, events: [] };
  const shown = async () =>
    (await inbox.conversations()).map(({ tracked, unread, email }) => ({ tracked, unread, email }));

  const reports: [string, (id?: string) => string][] = [
    ['bounce', (originalId) => bounce({ recipient: ADA, ...UNKNOWN, ...(originalId && { originalId }) })],
    ['complaint', (originalId) => complaint(ADA, originalId ?? STRANGE_ID)],
  ];

  it('a bounce is shown and changes nothing when it quotes an email of another mailbox', async () => {
    const written = await inbox.written(ADA);
    inbox.mailbox = await inbox.connected();
    await inbox.arrives(bounce({ recipient: ADA, ...UNKNOWN, originalId: written.send.messageId }));
    expect(await changed(written)).toEqual(UNCHANGED);
    expect(await shown()).toHaveLength(1);
  });

  it('a complaint that quotes an email of another mailbox acts: it goes to where complaints go', async () => {
    const written = await inbox.written(ADA);
    inbox.mailbox = await inbox.connected();
    await inbox.arrives(complaint(ADA, written.send.messageId));
    expect(await changed(written)).toMatchObject({ suppressed: true, counted: 1 });
  });

  describe.each(reports)('(%s)', (kind, report) => {
    it('acts when it names somebody whom its mailbox wrote to within seven days', async () => {
      const written = await inbox.written(ADA);
      await sentDaysAgo(written, 6.9);
      await inbox.arrives(report());
      expect(await changed(written)).toMatchObject({ suppressed: true, counted: 1 });
    });

    it('is shown and changes nothing when it names somebody written to longer ago', async () => {
      const written = await inbox.written(ADA);
      await sentDaysAgo(written, 7.1);
      await inbox.arrives(report());
      expect(await changed(written)).toEqual(UNCHANGED);
      expect(await shown()).toMatchObject([{ tracked: false, unread: false }]);
      expect(await inbox.said()).toMatchObject([{ kind }]);
    });

    it('is shown and changes nothing when it names somebody to whom another mailbox wrote', async () => {
      const written = await inbox.written(ADA);
      inbox.mailbox = await inbox.connected();
      await inbox.arrives(report());
      expect(await changed(written)).toEqual(UNCHANGED);
      expect(await shown()).toHaveLength(1);
    });

    it('acts when it quotes an email of its mailbox that is up to thirty days old', async () => {
      const written = await inbox.written(ADA);
      await sentDaysAgo(written, 29);
      await inbox.arrives(report(written.send.messageId));
      expect(await changed(written)).toMatchObject({ suppressed: true, counted: 1 });
    });

    it('is shown and changes nothing when it quotes an email that is older', async () => {
      const written = await inbox.written(ADA);
      await sentDaysAgo(written, 31);
      await inbox.arrives(report(written.send.messageId));
      expect(await changed(written)).toEqual(UNCHANGED);
      expect(await shown()).toHaveLength(1);
    });

    it('changes nothing when it came before the email was sent', async () => {
      const written = await inbox.written(ADA);
      await sentDaysAgo(written, -1.1);
      for (const id of [written.send.messageId, undefined]) await inbox.arrives(report(id));
      expect(await changed(written)).toEqual(UNCHANGED);
    });

    it('acts when it gives back a link of the email, whatever Message-ID its server gave it', async () => {
      const written = await inbox.written(ADA);
      await sentDaysAgo(written, 20);
      const token = inbox.get(TrackingTokens).unsubscribe(written.send._id.toHexString());
      const header = `List-Unsubscribe: <https://t.test/u/${token}>\nSubject: Your roadmap\n`;
      const at = report(STRANGE_ID).lastIndexOf('Subject: Your roadmap\n');
      const raw = report(STRANGE_ID);
      await inbox.arrives(raw.slice(0, at) + header + raw.slice(at + 'Subject: Your roadmap\n'.length));
      expect(await changed(written)).toMatchObject({ suppressed: true, counted: 1 });
    });

    it('about somebody whom we never wrote to is shown only, and not from the spam folder', async () => {
      await inbox.arrives(report());
      await inbox.arrives(report(), 'junk');
      expect(await shown()).toMatchObject([{ tracked: false, unread: false }]);
      expect(await isSuppressed(ADA)).toBe(false);
    });

    it('about an answer that a person wrote acts when it came to that mailbox, to another one only as a complaint', async () => {
      const written = await inbox.written(ADA);
      const at = inbox.clock.now();
      const { workspaceId } = inbox.mailbox;
      const [conversationId, lead] = [new Types.ObjectId(), await inbox.lead(written)];
      const like = { workspaceId, mailboxId: inbox.mailbox._id };
      await inbox.model({ name: 'ConversationRecord' }).create({
        ...like,
        _id: conversationId,
        tracked: true,
        leadId: lead._id,
        campaignId: lead.campaignId,
        email: ADA,
        lastMessageAt: at,
        lastDirection: 'sent',
      });
      const said = { direction: 'sent', kind: 'manual', at, messageId: '<by-hand@senders.test>' };
      await inbox.model({ name: 'ConversationMessageRecord' }).create({ ...like, ...said, conversationId });
      await sentDaysAgo(written, 40);
      const mine = inbox.mailbox;
      inbox.mailbox = await inbox.connected();
      await inbox.arrives(report('<by-hand@senders.test>'));
      expect(await isSuppressed(ADA)).toBe(kind === 'complaint');
      inbox.mailbox = mine;
      await inbox.arrives(report('<by-hand@senders.test>'));
      expect(await isSuppressed(ADA)).toBe(true);
    });
  });

  it('that nobody can be answered about is not answered', async () => {
    await inbox.arrives(reports[0]![1]());
    const [conversation] = await inbox.conversations();
    await expect(inbox.get(ReplyAddressing).find(conversation!)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
