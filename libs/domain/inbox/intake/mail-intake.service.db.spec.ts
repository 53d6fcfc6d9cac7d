import { MailError } from '@adapters/mail';
import { SuppressionsService } from '@domain/suppressions';
import { InboxFixture, NOON } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { bounce, complaint, mail } from '../testing/mails';
import { MailIntakeService } from './mail-intake.service';

const ADA = 'ada@acme.test';
const AUTO = 'Auto-Submitted: auto-replied\n';

describe('incoming mail', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(() => inbox.fresh());

  const types = async () => (await inbox.events()).map(({ type }) => type);
  const isSuppressed = (email: string) => inbox.get(SuppressionsService).isSuppressed(inbox.workspaceId, email);
  const answerTo = ({ send }: Written, text: string, more: Partial<Parameters<typeof mail>[0]> = {}) =>
    mail({ from: `Ada <${ADA}>`, inReplyTo: send.messageId, text, ...more });

  describe('from a person', () => {
    it('stops the lead, is counted and recorded once, and starts an unread conversation', async () => {
      const written = await inbox.written(ADA);
      await inbox.arrives(answerTo(written, 'Thanks, who else uses it?\n\nOn Tue, Grace wrote:\n> First'));
      expect(await inbox.lead(written)).toMatchObject({
        status: 'completed',
        stopReason: 'replied',
        repliedAt: NOON,
        dueAt: null,
      });
      const { stats, leads } = await inbox.stats(written);
      expect(stats).toMatchObject({ replied: 1, autoReplied: 0, bounced: 0 });
      expect(leads).toMatchObject({ active: 0, completed: 1 });
      expect(await types()).toEqual(expect.arrayContaining(['email.replied', 'lead.completed']));
      expect(await inbox.conversations()).toMatchObject([
        { email: ADA, name: 'Ada', subject: 'Your roadmap', unread: true, messageCount: 1, lastDirection: 'received' },
      ]);
      expect(await inbox.said()).toMatchObject([{ kind: 'reply', text: 'Thanks, who else uses it?' }]);
    });

    it('is processed once, although several workers read it repeatedly and in two mailboxes', async () => {
      const written = await inbox.written(ADA);
      const raw = answerTo(written, 'Thanks', { id: '<same@acme.test>' });
      await inbox.arrives(raw);
      const arrival = { workspaceId: inbox.workspaceId, mailboxId: inbox.mailbox._id.toHexString() };
      await Promise.all([inbox.get(MailIntakeService).process(arrival), inbox.get(MailIntakeService).process(arrival)]);
      inbox.mailbox = await inbox.connected();
      await inbox.arrives(raw);
      expect((await types()).filter((type) => type === 'email.replied')).toHaveLength(1);
      expect(await inbox.conversations()).toMatchObject([{ messageCount: 1 }]);
      expect((await inbox.stats(written)).stats.replied).toBe(1);
    });

    it('counts a lead that replies twice once, and records a positive reply once', async () => {
      const written = await inbox.written(ADA);
      await inbox.arrives(answerTo(written, 'Sounds great, let us talk. Does Tuesday at 10 work for you?'));
      await inbox.arrives(answerTo(written, 'Yes, I am very interested, please call me.'));
      expect((await inbox.stats(written)).stats).toMatchObject({ replied: 1, positiveReplied: 1 });
      expect(
        (await inbox.events()).filter(({ type }) => type === 'email.replied').map(({ data }) => data.firstOfLead),
      ).toEqual([true, false]);
      expect((await types()).filter((type) => type === 'email.positive_reply')).toHaveLength(1);
      expect(await inbox.conversations()).toMatchObject([{ messageCount: 2 }]);
    });

    it('does not stop a lead of a campaign that continues after replies', async () => {
      const written = await inbox.written(ADA, { stopOnReply: false });
      await inbox.arrives(answerTo(written, 'Thanks'));
      expect((await inbox.lead(written)).status).toBe('active');
      expect((await inbox.stats(written)).stats.replied).toBe(1);
    });

    it('stops all leads of the company when the campaign is set to, and none of a free-mail domain', async () => {
      const campaignId = await inbox.campaign({ stopCompanyOnReply: true });
      const ada = await inbox.written('ada@eu.acme.test', {}, campaignId);
      const bob = await inbox.written('bob@acme.test', {}, campaignId);
      const eve = await inbox.written('eve@gmail.com', {}, campaignId);
      const dan = await inbox.written('dan@gmail.com', {}, campaignId);
      await inbox.arrives(mail({ from: 'ada@eu.acme.test', inReplyTo: ada.send.messageId, text: 'Hello' }));
      await inbox.arrives(mail({ from: 'eve@gmail.com', inReplyTo: eve.send.messageId, text: 'Hello' }));
      expect((await inbox.lead(bob)).stopReason).toBe('company_replied');
      expect((await inbox.lead(dan)).status).toBe('active');
    });

    it('treats a written opt-out as an opt-out, even from a person who replies for a lead or has no valid address', async () => {
      const text = 'Please remove me from your mailing list.';
      const all = await inbox.allWritten([ADA, 'bob@other.test'], await inbox.campaign());
      const [ada, bob] = all as [Written, Written];
      await inbox.comes(answerTo(ada, text));
      await inbox.comes(mail({ from: 'boss@third.test', inReplyTo: bob.send.messageId, text }));
      await inbox.arrives(mail({ from: 'root@localhost', text }));
      for (const email of [ADA, 'bob@other.test', 'boss@third.test'])
        expect({ email, isSuppressed: await isSuppressed(email) }).toEqual({ email, isSuppressed: true });
      for (const one of all) expect((await inbox.lead(one)).stopReason).toBe('unsubscribed');
      const byRules = { label: 'unsubscribe_request', labelledBy: 'rules' };
      expect(await inbox.conversations()).toMatchObject([byRules, byRules, byRules]);
      expect((await inbox.stats(ada)).stats.unsubscribed).toBe(2);
      expect((await types()).filter((type) => type === 'email.unsubscribed')).toHaveLength(2);
      const done = { state: 'done', verdict: 'reply' };
      expect(await inbox.messages()).toMatchObject([done, done, done]);
    });
  });

  describe('is matched', () => {
    it('by its references for any sender and folder, by its sender, or by company and subject', async () => {
      const emails = [
        'referred@one.test',
        'spam@two.test',
        'sender@three.test',
        'colleague@four.test',
        'silent@five.test',
      ];
      const all = await inbox.allWritten(emails, await inbox.campaign());
      const [referred, spam] = all as [Written, Written];
      await inbox.comes(mail({ from: 'boss@other.test', inReplyTo: referred.send.messageId, text: 'I took over' }));
      await inbox.comes(mail({ from: 'spam@two.test', inReplyTo: spam.send.messageId, text: 'Hello' }), 'junk');
      await inbox.comes(mail({ from: 'SENDER@three.test', subject: 'A question', text: 'Hello' }));
      await inbox.comes(mail({ from: 'carl@four.test', subject: 'Your Roadmap', text: 'Hello' }));
      await inbox.arrives(mail({ from: 'zoe@elsewhere.test', subject: 'Lunch?', text: 'Hello' }));
      const stopped = await Promise.all(all.map(async (one) => [one.send.email, (await inbox.lead(one)).stopReason]));
      expect(stopped).toEqual(emails.map((email) => [email, email === 'silent@five.test' ? null : 'replied']));
      // Mail without a matching lead is stored as untracked.
      const strange = (await inbox.conversations()).filter(({ leadId }) => leadId === undefined);
      expect(strange).toMatchObject([{ email: 'zoe@elsewhere.test', unread: true }]);
    });

    it('to no lead when a colleague of the sender writes to the lead and another mailbox gets a copy', async () => {
      const written = await inbox.written(ADA);
      const { email } = await inbox.connected();
      const references = { inReplyTo: written.send.messageId };
      await inbox.arrives(mail({ from: email, ...references, text: 'One more thought' }));
      await inbox.arrives(
        mail({ from: email, ...references, text: 'I am currently out of the office.', headers: AUTO }),
      );
      expect((await inbox.lead(written)).status).toBe('active');
      expect((await inbox.stats(written)).stats).toMatchObject({ replied: 0, autoReplied: 0 });
      expect(await inbox.conversations()).toEqual([]);
    });

    it('to a lead that is a mailbox of ours', async () => {
      const { email } = await inbox.connected();
      const written = await inbox.written(email);
      await inbox.arrives(mail({ from: email, inReplyTo: written.send.messageId, text: 'Hello' }));
      expect((await inbox.lead(written)).stopReason).toBe('replied');
    });

    it('to no lead of another workspace', async () => {
      const theirs = await inbox.written(ADA);
      await inbox.fresh();
      await inbox.arrives(answerTo(theirs, 'Hello'));
      const [conversation] = await inbox.conversations();
      expect(conversation?.leadId).toBeUndefined();
    });
  });

  it('is ignored when it is spam or a newsletter without a lead', async () => {
    await inbox.arrives(mail({ from: 'win@casino.test', subject: 'You won', text: 'Click' }), 'junk');
    await inbox.arrives(mail({ from: 'news@shop.test', subject: 'Sale', text: 'Click' }), 'promotions');
    expect(await inbox.conversations()).toEqual([]);
    expect(await inbox.messages()).toMatchObject([
      { state: 'done', verdict: 'skipped' },
      { state: 'done', verdict: 'skipped' },
    ]);
  });

  it('from an unknown sender is one conversation per receiving mailbox, and is erased with that mailbox', async () => {
    const raw = mail({ from: 'zoe@elsewhere.test', subject: 'Lunch?', text: 'Hello', id: '<both@elsewhere.test>' });
    const first = inbox.mailbox._id;
    await inbox.arrives(raw);
    inbox.mailbox = await inbox.connected();
    await inbox.arrives(raw);
    const conversations = await inbox.conversations();
    expect(conversations.map(({ mailboxId }) => mailboxId)).toEqual([first, inbox.mailbox._id]);
    expect(conversations).toMatchObject([{ messageCount: 1 }, { messageCount: 1 }]);
  });

  describe('from a program', () => {
    const away = (written: Written, text: string) =>
      answerTo(written, text, { subject: 'Automatic reply: Your roadmap', headers: 'Auto-Submitted: auto-replied\n' });

    it('pauses a lead that is out of office until two working days after its return, and is no reply', async () => {
      const written = await inbox.written(ADA);
      await inbox.arrives(away(written, 'I am out of the office and will be back on Monday, 30 November 2026.'));
      const lead = await inbox.lead(written);
      expect(lead).toMatchObject({ status: 'paused', stopReason: 'auto_replied' });
      expect(lead.repliedAt).toBeUndefined();
      expect(lead.resumeAt?.toISOString()).toBe('2026-12-02T00:00:00.000Z');
      expect((await inbox.stats(written)).stats).toMatchObject({ replied: 0, autoReplied: 1 });
      expect(await inbox.conversations()).toMatchObject([{ label: 'out_of_office', unread: false }]);
    });

    it('without a return date pauses it for a week, and a mere confirmation does not pause it', async () => {
      const [week, confirmed] = (await inbox.allWritten([ADA, 'bob@other.test'], await inbox.campaign())) as [
        Written,
        Written,
      ];
      await inbox.comes(away(week, 'I am currently out of the office.'));
      const text = 'Thank you for your message. Your ticket number is 4711. We will get back to you.';
      const headers = 'Auto-Submitted: auto-generated\n';
      await inbox.arrives(
        answerTo(confirmed, text, { from: 'bob@other.test', subject: 'We received your request', headers }),
      );
      expect((await inbox.lead(week)).resumeAt?.toISOString()).toBe('2026-12-02T12:00:00.000Z');
      expect((await inbox.lead(confirmed)).status).toBe('active');
      expect((await inbox.stats(week)).stats).toMatchObject({ replied: 0, autoReplied: 2 });
    });
  });

  describe('that bounces', () => {
    const unknown = { status: '5.1.1', diagnostic: '550 5.1.1 <ada@acme.test>: User unknown in local recipient table' };
    const full = { status: '4.2.2', diagnostic: '452 4.2.2 Mailbox full' };

    it('permanently ends the lead and suppresses its address everywhere, is counted once and begins no conversation', async () => {
      const written = await inbox.written(ADA);
      const other = await inbox.written(ADA);
      for (let times = 0; times < 2; times += 1) {
        await inbox.arrives(bounce({ recipient: ADA, originalId: written.send.messageId, ...unknown }));
      }
      expect(await inbox.lead(written)).toMatchObject({ status: 'bounced', stopReason: 'bounced_hard' });
      expect(await inbox.lead(other)).toMatchObject({ status: 'bounced' });
      expect(await isSuppressed(ADA)).toBe(true);
      const { stats, steps } = await inbox.stats(written);
      expect(stats.bounced).toBe(1);
      expect(steps[written.send.stepId.toHexString()]?.bounced).toBe(1);
      expect((await inbox.stats(other)).stats.bounced).toBe(0);
      expect((await inbox.sendOf(written)).returned).toMatchObject({ verdict: 'hard' });
      expect(await inbox.conversations()).toEqual([]);
    });

    it('is matched by its recipient when the email is not returned', async () => {
      const written = await inbox.written(ADA);
      await inbox.arrives(bounce({ recipient: ADA, ...unknown }));
      expect((await inbox.lead(written)).stopReason).toBe('bounced_hard');
    });

    it('does not change the lead when the address of a forward bounces, or for a delay report', async () => {
      const [forwards, delayed] = (await inbox.allWritten([ADA, 'bob@other.test'], await inbox.campaign())) as [
        Written,
        Written,
      ];
      const recipient = 'old@elsewhere.test';
      await inbox.comes(bounce({ recipient, originalId: forwards.send.messageId, ...unknown }));
      const late = { action: 'delayed', status: '4.4.1', diagnostic: '451 4.4.1 connection timed out' };
      await inbox.arrives(bounce({ recipient: 'bob@other.test', originalId: delayed.send.messageId, ...late }));
      expect((await inbox.lead(forwards)).status).toBe('active');
      expect(await isSuppressed(ADA)).toBe(false);
      expect((await inbox.lead(delayed)).status).toBe('active');
      expect((await inbox.lead(delayed)).softBouncedAt).toBeUndefined();
    });

    it('softly three times within seven days counts as hard, and twice does not', async () => {
      const written = await inbox.written(ADA);
      const softly = () => inbox.arrives(bounce({ recipient: ADA, originalId: written.send.messageId, ...full }));
      await softly();
      inbox.clock.advance(86_400_000);
      await softly();
      expect((await inbox.lead(written)).status).toBe('active');
      inbox.clock.advance(86_400_000);
      await softly();
      expect(await inbox.lead(written)).toMatchObject({ status: 'bounced', stopReason: 'bounced_soft_limit' });
      expect(await isSuppressed(ADA)).toBe(true);
    });
  });

  it('with a complaint stops the lead, suppresses the address and is counted once', async () => {
    const written = await inbox.written(ADA);
    for (let times = 0; times < 2; times += 1) await inbox.arrives(complaint(ADA, written.send.messageId));
    expect((await inbox.lead(written)).stopReason).toBe('complained');
    expect(await isSuppressed(ADA)).toBe(true);
    expect((await inbox.stats(written)).stats.complained).toBe(1);
  });

  it('proves that an ambiguous email was sent, or one whose worker crashed during the handover', async () => {
    const states = ['ambiguous', 'sending'];
    const all = await inbox.allWritten([ADA, 'bob@other.test'], await inbox.campaign());
    const resolveAt = new Date(NOON.getTime() + 3_600_000);
    for (const [index, { send }] of all.entries()) {
      const of = { _id: send._id, workspaceId: inbox.workspaceId };
      await inbox.model({ name: 'SendRecord' }).updateOne(of, { $set: { state: states[index], resolveAt } });
    }
    for (const { send } of all)
      await inbox.comes(mail({ from: send.email, inReplyTo: send.messageId, text: 'Thanks' }));
    await inbox.look();
    for (const [index, one] of all.entries()) {
      const { provenAt, resolveAt: next } = await inbox.sendOf(one);
      expect({ was: states[index], provenAt, next }).toEqual({
        was: states[index],
        provenAt: expect.any(Date),
        next: expect.any(Date),
      });
      expect(next!.getTime()).toBeLessThan(NOON.getTime() + 60_000);
    }
  });

  describe('that fails', () => {
    const arrival = () => ({ workspaceId: inbox.workspaceId, mailboxId: inbox.mailbox._id.toHexString() });

    it('during the fetch is retried later, and until then the mailbox does not count as current', async () => {
      const written = await inbox.written(ADA);
      await inbox.box.deliver(Buffer.from(answerTo(written, 'Thanks')), 'inbox', NOON);
      const session = inbox.driver.open({ kind: 'fake', id: 'x', revision: '0', email: inbox.mailbox.email });
      const trouble = new MailError({ failure: 'temporary', stage: 'request', message: 'later' });
      const fetching = jest
        .spyOn(Object.getPrototypeOf(session) as typeof session, 'fetchRaw')
        .mockRejectedValue(trouble);
      await expect(inbox.look()).rejects.toThrow('cannot be read yet');
      expect(await inbox.messages()).toMatchObject([{ state: 'received', failures: 1, problem: 'later' }]);
      fetching.mockRestore();
      await expect(
        inbox.get(MailIntakeService).ensureFresh(inbox.mailbox, 60_000, new AbortController().signal),
      ).rejects.toThrow('cannot be read yet');
      inbox.clock.advance(60_000);
      await inbox.get(MailIntakeService).process(arrival());
      expect((await inbox.lead(written)).stopReason).toBe('replied');
    });

    it('permanently during the fetch is classified by its envelope, so that a lead that replied gets no further email', async () => {
      const written = await inbox.written(ADA);
      await inbox.box.deliver(Buffer.from(answerTo(written, 'Thanks')), 'inbox', NOON);
      const session = inbox.driver.open({ kind: 'fake', id: 'x', revision: '0', email: inbox.mailbox.email });
      const gone = new MailError({ failure: 'permanent', stage: 'request', message: 'gone' });
      const fetching = jest.spyOn(Object.getPrototypeOf(session) as typeof session, 'fetchRaw').mockRejectedValue(gone);
      await inbox.look();
      fetching.mockRestore();
      expect((await inbox.lead(written)).stopReason).toBe('replied');
    });

    it('because of a worker crash is completed by the next worker', async () => {
      const written = await inbox.written(ADA);
      const add = jest.spyOn(inbox.get(SuppressionsService), 'add').mockRejectedValueOnce(new Error('killed'));
      const raw = bounce({
        recipient: ADA,
        originalId: written.send.messageId,
        status: '5.1.1',
        diagnostic: '550 5.1.1 User unknown',
      });
      await expect(inbox.arrives(raw)).rejects.toThrow('cannot be read yet');
      expect(await inbox.messages()).toMatchObject([{ state: 'judged' }]);
      add.mockRestore();
      inbox.clock.advance(3_600_000);
      await inbox.get(MailIntakeService).process(arrival());
      expect(await inbox.messages()).toMatchObject([{ state: 'done' }]);
      expect(await isSuppressed(ADA)).toBe(true);
      expect((await inbox.stats(written)).stats.bounced).toBe(1);
    });

    it('gets its job enqueued again by the sweep', async () => {
      const written = await inbox.written(ADA);
      await inbox.model({ name: 'MailboxMessageRecord' }).create({
        workspaceId: inbox.workspaceId,
        mailboxId: inbox.mailbox._id,
        fingerprint: 'f',
        state: 'received',
        place: 'p',
        ref: { folder: 'inbox', id: '1' },
        receivedAt: NOON,
        from: { name: '', address: ADA },
        inReplyTo: written.send.messageId,
      });
      expect(await inbox.get(MailIntakeService).sweep()).toBeGreaterThanOrEqual(1);
      expect(await inbox.get(MailIntakeService).sweep()).toBe(0);
    });
  });
});
