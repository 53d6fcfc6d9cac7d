import { SendRecord } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { TrackingTokenService } from '@domain/tracking';
import { Types } from 'mongoose';
import { ReplyAddressService } from '../replies/reply-address.service';
import { InboxFixture } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
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

  const isSuppressed = (email: string) => inbox.get(SuppressionsService).isSuppressed(inbox.workspaceId, email);
  const sentDaysAgo = async (written: Written, days: number) => {
    const at = new Date(inbox.clock.now().getTime() - days * DAY_MS);
    await inbox
      .model<SendRecord>(SendRecord)
      .updateOne({ _id: written.send._id, workspaceId: inbox.workspaceId }, { $set: { sentAt: at, handoverAt: at } });
  };
  /** The changes by a report to a lead, its address and its counters. */
  const changed = async (written: Written) => {
    const { stats } = await inbox.stats(written);
    const { status } = await inbox.lead(written);
    const { returned } = await inbox.sendOf(written);
    return {
      status,
      suppressed: await isSuppressed(written.send.email),
      counted: stats.bounced + stats.complained,
      returned: returned?.verdict ?? null,
    };
  };
  const UNCHANGED = { status: 'active', suppressed: false, counted: 0, returned: null };
  const shown = async () =>
    (await inbox.conversations()).map(({ tracked, unread, email }) => ({ tracked, unread, email }));

  const reports: [string, (recipient: string, id?: string) => string][] = [
    ['bounce', (recipient, originalId) => bounce({ recipient, ...UNKNOWN, ...(originalId && { originalId }) })],
    ['complaint', (recipient, originalId) => complaint(recipient, originalId ?? STRANGE_ID)],
  ];

  describe.each(reports)('(%s)', (kind, report) => {
    it('takes effect for a recent email of its mailbox, and is otherwise only shown', async () => {
      const named = ({ send }: Written) => [report(send.email)];
      const quoted = ({ send }: Written) => [report(send.email, send.messageId)];
      const both = (written: Written) => [...quoted(written), ...named(written)];
      const linked = ({ send }: Written) => {
        const token = inbox.get(TrackingTokenService).unsubscribe(send._id.toHexString());
        const header = `List-Unsubscribe: <https://t.test/u/${token}>\nSubject: Your roadmap\n`;
        const raw = report(send.email, STRANGE_ID);
        const at = raw.lastIndexOf('Subject: Your roadmap\n');
        return [raw.slice(0, at) + header + raw.slice(at + 'Subject: Your roadmap\n'.length)];
      };
      const [here, there] = [inbox.mailbox, await inbox.connected()];
      const rows = [
        { what: 'names a person who got an email within seven days', days: 6.9, of: named, to: here, acts: true },
        { what: 'names a person who got an email earlier', days: 7.1, of: named, to: here, acts: false },
        { what: 'names a person who got an email from another mailbox', days: 1, of: named, to: there, acts: false },
        { what: 'quotes an email of up to thirty days', days: 29, of: quoted, to: here, acts: true },
        { what: 'quotes an email that is older', days: 31, of: quoted, to: here, acts: false },
        { what: 'came before the email was sent', days: -1.1, of: both, to: here, acts: false },
        { what: 'gives back a link, whatever the Message-ID', days: 20, of: linked, to: here, acts: true },
        // Providers send complaints to a separate address.
        { what: 'quotes an email of another mailbox', days: 1, of: quoted, to: there, acts: kind === 'complaint' },
      ];
      const all: Written[] = [];
      for (const [index, { days }] of rows.entries()) {
        const written = await inbox.written(`ada@company${index}.test`);
        await sentDaysAgo(written, days);
        all.push(written);
      }
      for (const mailbox of [here, there]) {
        inbox.mailbox = mailbox;
        for (const [index, { of, to }] of rows.entries()) {
          if (to === mailbox) for (const raw of of(all[index]!)) await inbox.comes(raw);
        }
        await inbox.look();
      }
      for (const [index, { what, acts }] of rows.entries()) {
        const after = await changed(all[index]!);
        const expected = acts ? { suppressed: true, counted: 1 } : UNCHANGED;
        expect({ what, ...after }).toEqual({ ...after, what, ...expected });
      }
      const acted = rows.filter(({ acts }) => acts).length;
      expect(new Set((await inbox.events()).map(({ leadId }) => String(leadId))).size).toBe(acted);
      const only = rows.flatMap(({ acts, of }, index) => (acts ? [] : of(all[index]!)));
      expect(await shown()).toEqual(only.map(() => ({ tracked: false, unread: false, email: expect.any(String) })));
      expect((await inbox.said()).map((message) => message.kind)).toEqual(only.map(() => kind));
    });

    it('about an address that never got an email is only shown, and not from the spam folder', async () => {
      await inbox.arrives(report(ADA));
      await inbox.arrives(report(ADA), 'junk');
      expect(await shown()).toMatchObject([{ tracked: false, unread: false }]);
      expect(await isSuppressed(ADA)).toBe(false);
    });

    it('about a member’s reply takes effect in its mailbox, and in another one only as a complaint', async () => {
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
      await inbox.arrives(report(ADA, '<by-hand@senders.test>'));
      expect(await isSuppressed(ADA)).toBe(kind === 'complaint');
      inbox.mailbox = mine;
      await inbox.arrives(report(ADA, '<by-hand@senders.test>'));
      expect(await isSuppressed(ADA)).toBe(true);
    });
  });

  it('without an answerable message is not answered', async () => {
    await inbox.arrives(reports[0]![1](ADA));
    const [conversation] = await inbox.conversations();
    await expect(inbox.get(ReplyAddressService).find(conversation!)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
