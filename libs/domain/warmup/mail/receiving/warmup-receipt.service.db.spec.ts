import { MailboxFiguresService, type MailboxMessageRecord } from '@domain/mailboxes';
import { Types } from 'mongoose';
import { WarmupAnalyticsService } from '../../config/warmup-analytics.service';
import { WarmupsService } from '../../config/warmups.service';
import { decideReply } from '../../plan/reply-decision';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { MAX_MESSAGES } from '../../texts/thread-script';
import { type FoundMail } from './found-mail';
import { type Member, ReceivingFixture } from './testing/receiving-fixture';
import { WarmupReceiptService } from './warmup-receipt.service';

const MINE = { verdict: 'skipped', rule: 'warmup' };
const ANSWERS_SPAM = { replyRates: { inbox: { min: 0, max: 0 }, promotions: { min: 0, max: 0 }, spam: 100 } };
const DAY = '2026-11-25';

describe('arriving warmup mail', () => {
  let warmup: ReceivingFixture;
  let ann: Member;
  let bob: Member;

  beforeAll(async () => {
    warmup = await ReceivingFixture.open();
  });
  afterAll(() => warmup.close());
  beforeEach(async () => {
    ann = await warmup.members.create();
    bob = await warmup.members.create(ANSWERS_SPAM);
  });

  const sentToday = async ({ workspace, mailbox }: Member) =>
    (await warmup.get(MailboxFiguresService).sentToday(workspace, [mailbox])).get(mailbox._id.toHexString()) ?? 0;

  it('is recorded once for both mailboxes, hidden from conversations, and reveals no address to another workspace', async () => {
    const mail = await warmup.deliveries.send(ann, bob);
    await warmup.deliveries.deliver(mail, ann, bob);
    await warmup.deliveries.read(bob);
    const now = expect.any(Date);
    expect(await warmup.records.senderSide(mail)).toMatchObject({ state: 'sent', placement: 'inbox', receivedAt: now });
    expect(await warmup.records.receiverSide(mail)).toMatchObject({
      state: 'received',
      direction: 'received',
      position: 0,
      placement: 'inbox',
      day: DAY,
      subject: 'Lunch on Friday',
      messageId: mail.messageId,
      counterpart: { workspaceId: ann.mailbox.workspaceId, mailboxId: ann.mailbox._id },
      at: now,
      opensAt: now,
    });
    expect(await warmup.records.figures(ann)).toEqual({ inbox: 1 });
    expect(await warmup.records.figures(bob)).toEqual({ received: 1 });
    expect(await warmup.records.classifications(bob)).toEqual([MINE]);
    expect(await warmup.records.countVisible(bob)).toBe(0);
    const activity = await warmup
      .get(WarmupAnalyticsService)
      .listActivity(bob.workspace, bob.mailbox._id.toHexString(), { limit: 10 });
    expect(activity.items).toMatchObject([{ direction: 'received', counterpart: null, placement: 'inbox' }]);
    expect(JSON.stringify(activity)).not.toContain(ann.mailbox.email);
  });

  it('is recorded once when several workers find it together with other warmup mail', async () => {
    const mails = [await warmup.deliveries.send(ann, bob), await warmup.deliveries.send(ann, bob)];
    const found = mails.map((mail): FoundMail => {
      const message = {
        _id: new Types.ObjectId(),
        mailboxId: bob.mailbox._id,
        role: 'junk',
        messageId: mail.messageId,
      };
      return { mail, message: message as MailboxMessageRecord };
    });
    const receipts = warmup.get(WarmupReceiptService);
    await Promise.all([found, found.toReversed(), found].map((some) => receipts.recordReceived(bob.mailbox, some)));
    expect(await warmup.records.figures(ann)).toEqual({ spam: 2 });
    expect(await warmup.records.figures(bob)).toEqual({ received: 2 });
    expect(await warmup.records.planned(bob)).toHaveLength(2);
  });

  it('has the placement of its folder: inbox, promotions or spam', async () => {
    const places = { inbox: 'inbox', promotions: 'promotions', junk: 'spam' } as const;
    const found: [string, WarmupMailRecord][] = [];
    for (const [folder, placement] of Object.entries(places)) {
      const mail = await warmup.deliveries.send(ann, bob);
      await warmup.deliveries.deliverUnread(mail, ann, bob, { folder: folder as keyof typeof places });
      found.push([placement, mail]);
    }
    await warmup.deliveries.read(bob);
    for (const [placement, mail] of found) {
      expect((await warmup.records.senderSide(mail)).placement).toBe(placement);
      expect((await warmup.records.receiverSide(mail))?.placement).toBe(placement);
    }
    expect(await warmup.records.figures(ann)).toEqual({ inbox: 1, promotions: 1, spam: 1 });
  });

  it('is identified by its signed header when a server changed its Message-ID; answers refer to the new one', async () => {
    const mail = await warmup.deliveries.send(ann, bob);
    await warmup.deliveries.deliver(mail, ann, bob, { messageId: '<changed@relay.test>' });
    expect(await warmup.records.classifications(bob)).toEqual([MINE]);
    expect(await warmup.records.receiverSide(mail)).toMatchObject({ messageId: '<changed@relay.test>' });
    expect(await warmup.records.senderSide(mail)).toMatchObject({
      placement: 'inbox',
      messageId: '<changed@relay.test>',
    });
    const thread = { _id: mail.threadId, workspaceId: ann.workspace.workspaceId };
    const { messageIds } = await warmup.inbox.model<WarmupThreadRecord>(WarmupThreadRecord).findOne(thread).orFail();
    expect([...messageIds]).toEqual(['<changed@relay.test>']);
  });

  it('belongs to no mailbox once its sender is deleted, and stays hidden from people', async () => {
    const _id = new Types.ObjectId();
    await warmup.deliveries.deliver({ _id, messageId: `<${_id.toHexString()}@gone.test>` }, ann, bob);
    expect(await warmup.records.classifications(bob)).toEqual([MINE]);
    expect(await warmup.records.countVisible(bob)).toBe(0);
    expect(await warmup.records.figures(bob)).toEqual({});
  });

  it('stays hidden in another workspace that has the same mailbox', async () => {
    const other = await warmup.members.connectAgain(bob);
    const mail = await warmup.deliveries.send(ann, bob);
    await warmup.deliveries.deliver(mail, ann, bob);
    await warmup.deliveries.read(other);
    expect(await warmup.records.classifications(other)).toEqual([MINE]);
    expect(await warmup.records.countVisible(other)).toBe(0);
    expect(await warmup.records.figures(ann)).toEqual({ inbox: 1 });
    expect(await warmup.records.figures(other)).toEqual({});
  });

  it('proves that it was sent and prevents another attempt, except while a worker is sending it', async () => {
    const unanswered = await warmup.deliveries.send(ann, bob, { state: 'ambiguous', reason: 'No response arrived' });
    // A server rejected it temporarily and delivered it all the same.
    const tried = { state: 'planned', attempt: 1, dueAt: warmup.clock.in(60_000), reason: '451 4.3.0 Later' } as const;
    const refused = await warmup.deliveries.send(ann, bob, tried);
    const underway = await warmup.deliveries.send(ann, bob, { state: 'ambiguous', dueAt: warmup.clock.now() });
    for (const mail of [unanswered, refused, underway]) await warmup.deliveries.deliverUnread(mail, ann, bob);
    await warmup.deliveries.read(bob);
    const proven = { state: 'sent', reason: null, placement: 'inbox' };
    expect(await warmup.records.senderSide(unanswered)).toMatchObject(proven);
    expect(await warmup.records.senderSide(refused)).toMatchObject(proven);
    expect((await warmup.records.senderSide(refused)).dueAt).toBeUndefined();
    expect(await warmup.records.planned(ann)).toEqual([]);
    expect(await warmup.records.senderSide(underway)).toMatchObject({ state: 'ambiguous', placement: 'inbox' });
    expect(await warmup.records.figures(ann)).toEqual({ sent: 2, openings: 2, inbox: 3 });
    expect(await sentToday(ann)).toBe(2);
  });

  describe('with a forgery', () => {
    it('is an ordinary message with a changed header, a header of another mail or of none, or a copied Message-ID', async () => {
      const carl = await warmup.members.createColleague(ann);
      const [mine, copied, quoted] = [
        await warmup.deliveries.send(ann, bob),
        await warmup.deliveries.send(ann, bob),
        await warmup.deliveries.send(ann, bob),
      ];
      const carls = await warmup.deliveries.send(ann, carl);
      const token = warmup.deliveries.token(mine, ann, bob);
      const tampered = `${token.slice(0, -2)}${token.endsWith('A') ? 'BB' : 'AA'}`;
      const ofCarl = warmup.deliveries.token(carls, ann, carl);
      const from = 'eve@elsewhere.test';
      await warmup.deliveries.deliverUnread(mine, ann, bob, {
        messageId: '<tampered@elsewhere.test>',
        token: tampered,
      });
      await warmup.deliveries.deliverUnread(carls, ann, bob, { messageId: '<carls@elsewhere.test>', token: ofCarl });
      await warmup.deliveries.deliverUnread(copied, ann, bob, { from, messageId: '<header@elsewhere.test>' });
      await warmup.deliveries.deliverUnread(quoted, ann, bob, { from, token: null });
      const forgotten = { _id: new Types.ObjectId(), messageId: '<forgotten@elsewhere.test>' };
      await warmup.deliveries.deliverUnread(forgotten, ann, bob, { from });
      await warmup.deliveries.read(bob);
      const ordinary = { verdict: 'reply', rule: expect.any(String) };
      expect(await warmup.records.classifications(bob)).toEqual([ordinary, ordinary, ordinary, ordinary, ordinary]);
      expect(await warmup.records.countVisible(bob)).toBeGreaterThanOrEqual(10);
      for (const mail of [mine, copied, quoted, carls]) expect(await warmup.records.receiverSide(mail)).toBeNull();
      expect(await warmup.records.figures(ann)).toEqual({});
    });

    it('is an ordinary message when it copies a mail that was already found', async () => {
      const mail = await warmup.deliveries.send(ann, bob);
      await warmup.deliveries.deliver(mail, ann, bob);
      await warmup.deliveries.deliver(mail, ann, bob, { messageId: '<copy@elsewhere.test>' });
      expect(await warmup.records.classifications(bob)).toEqual([MINE, { verdict: 'reply', rule: expect.any(String) }]);
      expect(await warmup.records.figures(bob)).toEqual({ received: 1 });
    });
  });

  describe('with an answer', () => {
    const spam = { folder: 'junk' } as const;

    it('gets an answer planned for the other mailbox, after the opening and within the hours', async () => {
      const mail = await warmup.deliveries.send(ann, bob);
      await warmup.deliveries.deliver(mail, ann, bob, spam);
      const { opensAt } = (await warmup.records.receiverSide(mail))!;
      const [answer, ...more] = await warmup.records.planned(bob);
      expect(more).toEqual([]);
      expect(answer).toMatchObject({
        direction: 'sent',
        threadId: mail.threadId,
        position: 1,
        state: 'planned',
        counterpart: { workspaceId: ann.mailbox.workspaceId, mailboxId: ann.mailbox._id },
        messageId: '',
        day: answer!.dueAt!.toISOString().slice(0, 10),
      });
      expect(answer!.mailId).toEqual(answer!._id);
      expect(answer!.dueAt!.getTime()).toBeGreaterThan(opensAt!.getTime());
      const hour = answer!.dueAt!.getUTCHours();
      expect(hour).toBeGreaterThanOrEqual(8);
      expect(hour).toBeLessThan(19);
    });

    it('is answered at the receiver’s rate for its placement', async () => {
      const rates = { inbox: { min: 40, max: 40 }, promotions: { min: 0, max: 0 }, spam: 0 };
      const carl = await warmup.members.create({ replyRates: rates });
      const mails: WarmupMailRecord[] = [];
      for (let times = 0; times < 12; times += 1) {
        const mail = await warmup.deliveries.send(ann, carl);
        mails.push(mail);
        await warmup.deliveries.deliverUnread(mail, ann, carl);
      }
      await warmup.deliveries.read(carl);
      const receiver = { mailboxId: carl.mailbox._id.toHexString(), rates };
      const expected = mails.filter(
        ({ _id }) =>
          decideReply({ mailId: _id.toHexString(), position: 0, placement: 'inbox', receiver, date: DAY }).answers,
      );
      const answered = (await warmup.records.planned(carl)).map(({ threadId }) => threadId.toHexString());
      expect(answered.toSorted()).toEqual(expected.map(({ threadId }) => threadId.toHexString()).toSorted());
    });

    it('is recorded as answered on both sides when the answer is found, which counts as a reply', async () => {
      const mail = await warmup.deliveries.send(ann, bob);
      await warmup.deliveries.deliver(mail, ann, bob);
      const answer = await warmup.deliveries.send(bob, ann, {}, mail);
      await warmup.deliveries.deliver(answer, bob, ann);
      expect(await warmup.records.senderSide(mail)).toMatchObject({ answeredAt: expect.any(Date) });
      expect(await warmup.records.receiverSide(mail)).toMatchObject({ answeredAt: expect.any(Date) });
      expect(await warmup.records.receiverSide(answer)).toMatchObject({ position: 1, placement: 'inbox' });
      expect(await warmup.records.figures(ann)).toEqual({ inbox: 1, received: 1, repliesReceived: 1 });
      expect(await warmup.records.figures(bob)).toEqual({ inbox: 1, received: 1 });
    });

    it('is found, but not answered, while the warmup of its receiver is paused', async () => {
      await warmup.get(WarmupsService).pause(bob.workspace, bob.mailbox._id.toHexString());
      const mail = await warmup.deliveries.send(ann, bob);
      await warmup.deliveries.deliver(mail, ann, bob, spam);
      expect(await warmup.records.planned(bob)).toEqual([]);
      expect(await warmup.records.receiverSide(mail)).toMatchObject({ placement: 'spam', opensAt: expect.any(Date) });
    });

    it('is not answered when it is the last mail of a thread', async () => {
      const mail = await warmup.deliveries.send(ann, bob, { position: MAX_MESSAGES - 1 });
      await warmup.deliveries.deliver(mail, ann, bob, spam);
      expect(await warmup.records.planned(bob)).toEqual([]);
    });

    it('is answered on the next day, then the day after, once the share of a day is used up', async () => {
      // 50 openings a day at 6 % are 3 mails: one opening on the first day, and two answers.
      const carl = await warmup.members.create({ ...ANSWERS_SPAM, budgetShare: 6, startingVolume: 1 });
      const { _id, workspaceId } = carl.mailbox;
      await warmup.inbox.model(WarmupRecord).updateOne({ _id, workspaceId }, { $set: { currentVolume: 1 } });
      for (let times = 0; times < 5; times += 1) {
        const mail = await warmup.deliveries.send(ann, carl);
        await warmup.deliveries.deliverUnread(mail, ann, carl, spam);
      }
      await warmup.deliveries.read(carl);
      const days = (await warmup.records.planned(carl)).map(({ day }) => day);
      expect(days).toHaveLength(5);
      for (const day of new Set(days)) expect(days.filter((other) => other === day).length).toBeLessThanOrEqual(2);
    });
  });
});
