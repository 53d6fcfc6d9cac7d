import { MailError } from '@adapters/mail';
import { type MailboxRecord } from '@domain/mailboxes';
import { InboxFixture, NOON } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { bounce, mail } from '../testing/mails';
import { MailIntakeService, MAX_FAILURES } from './mail-intake.service';
import { MessageIntakeService } from './message-intake.service';

const ADA = 'ada@acme.test';

describe('a message in a mailbox', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(() => inbox.fresh());

  const arrival = () => ({ workspaceId: inbox.workspaceId, mailboxId: inbox.mailbox._id.toHexString() });
  const answerTo = ({ send }: Written, text: string) => mail({ from: `Ada <${ADA}>`, inReplyTo: send.messageId, text });

  it.each([
    ['cannot be reached', { failure: 'temporary', stage: 'connect' }],
    ['is not allowed', { failure: 'permanent', stage: 'address' }],
    ['refuses the login', { failure: 'needs-human', stage: 'login' }],
  ] as const)('whose server %s waits without limit and is then read', async (_what, failure) => {
    const written = await inbox.written(ADA);
    await inbox.box.deliver(Buffer.from(answerTo(written, 'Thanks')), 'inbox', NOON);
    const session = inbox.driver.open({ kind: 'fake', id: 'x', revision: '0', email: inbox.mailbox.email });
    const fetching = jest
      .spyOn(Object.getPrototypeOf(session) as typeof session, 'fetchRaw')
      .mockRejectedValue(new MailError({ ...failure, message: 'away' }));
    await expect(inbox.look()).rejects.toThrow('cannot be read yet');
    for (let minute = 0; minute < MAX_FAILURES + 1; minute += 1) {
      inbox.clock.advance(60_000);
      await inbox.get(MailIntakeService).process(arrival());
    }
    expect(fetching).toHaveBeenCalledTimes(MAX_FAILURES + 2);
    expect(await inbox.messages()).toMatchObject([{ state: 'received', failures: 0, problem: 'away' }]);
    fetching.mockRestore();
    inbox.clock.advance(60_000);
    await inbox.get(MailIntakeService).process(arrival());
    expect(await inbox.said()).toMatchObject([{ text: 'Thanks' }]);
  });

  it('that is known not to be connected is not fetched', async () => {
    const written = await inbox.written(ADA);
    await inbox.box.deliver(Buffer.from(answerTo(written, 'Thanks')), 'inbox', NOON);
    const mailboxes = inbox.model<MailboxRecord>({ name: 'MailboxRecord' });
    const one = { _id: inbox.mailbox._id, workspaceId: inbox.workspaceId };
    const judging = jest.spyOn(inbox.get(MessageIntakeService), 'read').mockRejectedValueOnce(new Error('later'));
    await expect(inbox.look()).rejects.toThrow('cannot be read yet');
    await mailboxes.updateOne(one, { $set: { 'connection.state': 'disconnected' } });
    inbox.clock.advance(60_000);
    await inbox.get(MailIntakeService).process(arrival());
    expect(judging).toHaveBeenCalledTimes(1);
    await mailboxes.updateOne(one, { $set: { 'connection.state': 'connected' } });
    inbox.clock.advance(60_000);
    await inbox.get(MailIntakeService).process(arrival());
    expect((await inbox.lead(written)).stopReason).toBe('replied');
    judging.mockRestore();
  });

  it('whose attachments the server never lists is still classified by its text', async () => {
    const written = await inbox.written(ADA);
    const session = inbox.driver.open({ kind: 'fake', id: 'x', revision: '0', email: inbox.mailbox.email });
    const listing = jest
      .spyOn(Object.getPrototypeOf(session) as typeof session, 'listAttachments')
      .mockRejectedValue(new MailError({ failure: 'permanent', stage: 'request', message: 'BAD BODYSTRUCTURE' }));
    const unknown = { status: '5.1.1', diagnostic: '550 5.1.1 User unknown' };
    await inbox.arrives(bounce({ recipient: ADA, originalId: written.send.messageId, ...unknown }));
    expect(listing).toHaveBeenCalled();
    listing.mockRestore();
    expect((await inbox.lead(written)).status).toBe('bounced');
  });
});
