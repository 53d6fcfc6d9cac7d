import { LeadStopService } from '@domain/leads';
import { MailboxMessageRepository, MailboxMessageRecord } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { DEEP } from '@testing';
import { InboxFixture, NOON } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { bounce, complaint, mail } from '../testing/mails';
import { MessageEffectsService } from './message-effects.service';
import { MailIntakeService } from './mail-intake.service';
import { MessageIntakeService } from './message-intake.service';

const LATER_MS = 3_600_000;
const UNKNOWN = { status: '5.1.1', diagnostic: '550 5.1.1 User unknown' };
const FULL = { status: '4.2.2', diagnostic: '452 4.2.2 Mailbox full' };
/** Several groups of messages. */
const PEOPLE = DEEP ? 20 : 9;
const AWAY = 'Auto-Submitted: auto-replied\n';

describe('messages of a mailbox that arrive together', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(() => inbox.fresh());
  afterEach(() => groups.mockRestore());

  let groups: jest.SpyInstance;
  const arrival = () => ({ workspaceId: inbox.workspaceId, mailboxId: inbox.mailbox._id.toHexString() });
  const take = () => inbox.get(MailIntakeService).process(arrival());
  const told = async (type: string) => (await inbox.events()).filter((event) => event.type === type);
  const states = async () => (await inbox.messages()).map(({ state }) => state);
  const answerTo = ({ send }: Written, text = 'Thanks') =>
    mail({ from: `Ada <${send.email}>`, inReplyTo: send.messageId, text });

  /** All exist when the mailbox is read, and all are classified before the first one is written. */
  async function come(raws: readonly string[]): Promise<void> {
    groups = jest.spyOn(inbox.get(MailboxMessageRepository), 'markAllClassified');
    for (const [at, raw] of raws.entries()) {
      await inbox.box.deliver(
        Buffer.from(raw.replaceAll('\n', '\r\n')),
        'inbox',
        new Date(NOON.getTime() + at * 1_000),
      );
    }
    const opening = inbox.get(MessageIntakeService);
    const open = opening.open.bind(opening);
    const all = Promise.withResolvers<void>();
    let opened = 0;
    const gate = jest.spyOn(opening, 'open').mockImplementation(async (...asked) => {
      const found = await open(...asked);
      opened += 1;
      if (opened === Math.min(raws.length, 4)) all.resolve();
      await all.promise;
      return found;
    });
    await inbox.look().catch(() => undefined);
    gate.mockRestore();
  }

  const people = (count: number, campaignId: string): Promise<Written[]> =>
    inbox.allWritten(
      Array.from({ length: count }, (_, n) => `p${n}@company${n}.test`),
      campaignId,
    );

  const sizes = () => groups.mock.calls.map(([, all]) => (all as unknown[]).length);

  it('are written in groups, each with all its effects, and counted exactly', async () => {
    const written = await people(PEOPLE, await inbox.campaign());
    await come(written.map((one) => answerTo(one)));
    expect(Math.max(...sizes())).toBeGreaterThan(1);
    expect(sizes().reduce((sum, size) => sum + size, 0)).toBe(PEOPLE);
    for (const one of written)
      expect(await inbox.lead(one)).toMatchObject({ status: 'completed', stopReason: 'replied' });
    const { stats, leads } = await inbox.stats(written[0]!);
    expect(stats.replied).toBe(PEOPLE);
    expect(leads).toMatchObject({ active: 0, completed: PEOPLE });
    expect(await told('email.replied')).toHaveLength(PEOPLE);
    expect(await told('lead.completed')).toHaveLength(PEOPLE);
    expect(await inbox.conversations()).toHaveLength(PEOPLE);
    expect(await states()).toEqual(Array.from({ length: PEOPLE }, () => 'done'));
    const days = await inbox.model({ name: 'MailboxDayRecord' }).find({ workspaceId: inbox.workspaceId }).lean();
    expect(days).toMatchObject([{ replied: PEOPLE, received: PEOPLE }]);
  });

  it('of each kind have their own effect', async () => {
    const campaignId = await inbox.campaign();
    const [reply, hard, soft, away, spam, leaving] = (await people(6, campaignId)) as [
      Written,
      Written,
      Written,
      Written,
      Written,
      Written,
    ];
    await come([
      answerTo(reply, 'Sounds great, let us talk. Does Tuesday at 10 work for you?'),
      bounce({ recipient: hard.send.email, originalId: hard.send.messageId, ...UNKNOWN }),
      bounce({ recipient: soft.send.email, originalId: soft.send.messageId, ...FULL }),
      mail({
        from: away.send.email,
        inReplyTo: away.send.messageId,
        subject: 'Automatic reply: Your roadmap',
        headers: AWAY,
        text: 'I am out of the office and will be back on Monday, 30 November 2026.',
      }),
      complaint(spam.send.email, spam.send.messageId),
      answerTo(leaving, 'Please remove me from your mailing list.'),
    ]);
    const reasons = [reply, hard, soft, away, spam, leaving].map(async (one) => (await inbox.lead(one)).stopReason);
    expect(await Promise.all(reasons)).toEqual([
      'replied',
      'bounced_hard',
      null,
      'auto_replied',
      'complained',
      'unsubscribed',
    ]);
    const { stats, leads } = await inbox.stats(reply);
    expect(stats).toMatchObject({
      replied: 2,
      positiveReplied: 1,
      bounced: 1,
      complained: 1,
      autoReplied: 1,
      unsubscribed: 1,
    });
    expect(leads).toMatchObject({ active: 1, paused: 1, bounced: 1, completed: 3 });
    for (const { send } of [hard, spam, leaving]) {
      expect(await inbox.get(SuppressionsService).isSuppressed(inbox.workspaceId, send.email)).toBe(true);
    }
  });

  it('about one lead are applied sequentially', async () => {
    const written = await inbox.written('ada@acme.test');
    await come([
      mail({
        from: 'ada@acme.test',
        inReplyTo: written.send.messageId,
        headers: AWAY,
        text: 'I am out of the office.',
      }),
      answerTo(written, 'First thought'),
      answerTo(written, 'Second thought'),
    ]);
    expect((await inbox.lead(written)).stopReason).toBe('replied');
    expect((await inbox.stats(written)).stats).toMatchObject({ replied: 1, autoReplied: 1 });
    const firsts = (await told('email.replied')).filter(({ data }) => (data as { firstOfLead: boolean }).firstOfLead);
    expect(firsts).toHaveLength(1);
    expect(await told('email.replied')).toHaveLength(2);
    expect(await inbox.conversations()).toMatchObject([{ messageCount: 3 }]);
    expect(sizes()).toEqual([1, 1, 1]);
  });

  it('are all written except one that fails, which is written later', async () => {
    const written = await people(4, await inbox.campaign());
    const bad = written[2]!;
    const effects = inbox.get(MessageEffectsService);
    const apply = effects.apply.bind(effects);
    const failing = jest.spyOn(effects, 'apply').mockImplementation(async (incoming) => {
      const tasks = await apply(incoming);
      // After all writes, to roll them back.
      if (incoming.match?.lead._id.equals(bad.leadId)) throw new Error('bad');
      return tasks;
    });
    await come(written.map((one) => answerTo(one)));
    failing.mockRestore();
    expect((await inbox.stats(bad)).stats.replied).toBe(3);
    expect(await told('email.replied')).toHaveLength(3);
    expect((await inbox.lead(bad)).status).toBe('active');
    expect((await inbox.messages()).map(({ state, failures }) => [state, failures])).toEqual([
      ['done', 0],
      ['done', 0],
      ['received', 1],
      ['done', 0],
    ]);
    inbox.clock.advance(LATER_MS);
    await take();
    expect((await inbox.stats(bad)).stats.replied).toBe(4);
    expect((await inbox.lead(bad)).stopReason).toBe('replied');
  });

  it('are written once when another worker wrote one of them first', async () => {
    const written = await people(4, await inbox.campaign());
    const records = inbox.model<MailboxMessageRecord>(MailboxMessageRecord);
    const effects = inbox.get(MessageEffectsService);
    const apply = effects.apply.bind(effects);
    const taken = jest.spyOn(effects, 'apply').mockImplementation(async (incoming) => {
      const { _id, workspaceId } = incoming.message;
      if (incoming.match?.lead._id.equals(written[1]!.leadId)) {
        // Outside the transaction, so its writes are not visible here.
        await records.collection.updateOne({ _id, workspaceId }, { $set: { state: 'done', verdict: 'elsewhere' } });
      }
      return apply(incoming);
    });
    await come(written.map((one) => answerTo(one)));
    taken.mockRestore();
    expect((await inbox.stats(written[0]!)).stats.replied).toBe(3);
    expect((await inbox.lead(written[1]!)).status).toBe('active');
    expect((await inbox.messages()).map(({ verdict }) => verdict)).toEqual(['reply', 'elsewhere', 'reply', 'reply']);
  });

  it('are written all or none when the worker crashes at the end of a group', async () => {
    const written = await people(4, await inbox.campaign());
    jest.spyOn(inbox.get(MailboxMessageRepository), 'markAllClassified').mockRejectedValue(new Error('killed'));
    await come(written.map((one) => answerTo(one)));
    expect(Math.max(...sizes())).toBeGreaterThan(1);
    groups.mockRestore();
    expect((await inbox.stats(written[0]!)).stats.replied).toBe(0);
    inbox.clock.advance(LATER_MS);
    await take();
    expect((await inbox.stats(written[0]!)).stats.replied).toBe(4);
    expect(await told('email.replied')).toHaveLength(4);
  });

  it('are withheld together, and a failed task of one is retried without the others', async () => {
    const campaignId = await inbox.campaign();
    const written = await people(4, campaignId);
    const withhold = jest.spyOn(inbox.get(LeadStopService), 'withhold');
    const add = jest.spyOn(inbox.get(SuppressionsService), 'add').mockRejectedValueOnce(new Error('killed'));
    await come(written.map(({ send }) => bounce({ recipient: send.email, originalId: send.messageId, ...UNKNOWN })));
    add.mockRestore();
    expect(withhold.mock.calls.some(([, { leadIds = [] }]) => leadIds.length > 1)).toBe(true);
    withhold.mockRestore();
    expect((await states()).toSorted()).toEqual(['done', 'done', 'done', 'judged']);
    inbox.clock.advance(LATER_MS);
    await take();
    expect(await states()).toEqual(['done', 'done', 'done', 'done']);
    for (const { send } of written) {
      expect(await inbox.get(SuppressionsService).isSuppressed(inbox.workspaceId, send.email)).toBe(true);
    }
    expect((await inbox.stats(written[0]!)).stats.bounced).toBe(4);
  });
});
