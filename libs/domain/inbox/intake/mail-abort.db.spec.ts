import { MailboxSyncService } from '@domain/mailboxes';
import { InboxFixture, NOON } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { mail } from '../testing/mails';
import { MailIntakeService } from './mail-intake.service';
import { MessageIntakeService, type OpenedMessage } from './message-intake.service';

const ADA = 'ada@acme.test';

describe('a caller that requests the mail of a mailbox', () => {
  let inbox: InboxFixture;
  let written: Written;
  let opening: jest.SpyInstance;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(async () => {
    await inbox.fresh();
    written = await inbox.written(ADA);
  });
  afterEach(() => opening.mockRestore());

  const process = (signal?: AbortSignal) =>
    inbox
      .get(MailIntakeService)
      .process({ workspaceId: inbox.workspaceId, mailboxId: inbox.mailbox._id.toHexString() }, signal);

  /** A reply whose fetch lasts until `go`. */
  async function stuck(): Promise<{ begun: Promise<void>; go: () => void }> {
    const raw = mail({ from: ADA, inReplyTo: written.send.messageId, text: 'Thanks' });
    await inbox.box.deliver(Buffer.from(raw), 'inbox', NOON);
    await inbox.get(MailboxSyncService).ensureFresh(inbox.mailbox, 0, new AbortController().signal);
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const messages = inbox.get(MessageIntakeService);
    const open = messages.open.bind(messages);
    opening = jest.spyOn(messages, 'open').mockImplementation(async (...asked): Promise<OpenedMessage> => {
      begun.resolve();
      await held.promise;
      return open(...asked);
    });
    return { begun: begun.promise, go: () => held.resolve() };
  }

  it('does not wait for the intake of another worker after an abort', async () => {
    const { begun, go } = await stuck();
    const first = process();
    await begun;
    const abort = new AbortController();
    const second = process(abort.signal);
    abort.abort(new Error('no more time'));
    await expect(second).rejects.toThrow('no more time');
    go();
    await first;
    expect((await inbox.lead(written)).stopReason).toBe('replied');
    expect(opening).toHaveBeenCalledTimes(1);
    await process();
    expect(opening).toHaveBeenCalledTimes(1);
  });

  it('does not wait for a message in progress after an abort, and counts no failure of the message', async () => {
    const { begun, go } = await stuck();
    const abort = new AbortController();
    const taking = process(abort.signal);
    await begun;
    abort.abort(new Error('no more time'));
    await expect(taking).rejects.toThrow('no more time');
    go();
    expect(await inbox.messages()).toMatchObject([{ state: 'received', failures: 0, retryAt: null }]);
    await process();
    expect((await inbox.lead(written)).stopReason).toBe('replied');
  });
});
