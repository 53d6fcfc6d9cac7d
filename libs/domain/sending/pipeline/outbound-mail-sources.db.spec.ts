import { type MailboxTestResponse } from '@domain/mailboxes';
import { MailboxTestService } from '../direct/mailbox-test.service';
import { describeOutboundMailSource, type MailState } from '../testing/outbound-mail-source-conformance';
import { QueuedReplies } from '../testing/queued-replies';
import { SendingFixture } from '../testing/sending-fixture';

const ADDRESS = 'ann@acme.test';
const LEASED = { isLeased: true, isRepeated: true };

const SEND_STATES: Readonly<Record<string, MailState>> = { planned: 'due', retry: 'due', queued: 'due' };

describeOutboundMailSource(
  'an email of a campaign',
  async () => {
    const engine = await SendingFixture.open();
    return {
      engine,
      begin: async () => {
        await engine.fresh();
        const mailboxId = await engine.mailbox();
        await engine.campaign([mailboxId], [ADDRESS]);
        return mailboxId;
      },
      run: (mailboxId) => engine.run(mailboxId),
      state: async () => toState((await engine.stateOf(ADDRESS)) ?? 'planned'),
      close: () => engine.close(),
    };
  },
  LEASED,
);

describeOutboundMailSource(
  'a reply',
  async () => {
    const engine = await SendingFixture.open();
    const replies = new QueuedReplies(engine);
    let reply: Awaited<ReturnType<QueuedReplies['queued']>>;
    return {
      engine,
      begin: async () => {
        await engine.fresh();
        const mailboxId = await engine.mailbox();
        reply = await replies.queued(mailboxId, ADDRESS);
        return mailboxId;
      },
      run: (mailboxId) => engine.run(mailboxId),
      state: async () => toState(await replies.stateOf(reply)),
      close: () => engine.close(),
    };
  },
  LEASED,
);

describeOutboundMailSource(
  'the mail of a test of a mailbox',
  async () => {
    const engine = await SendingFixture.open();
    let last: MailboxTestResponse | null = null;
    return {
      engine,
      begin: async () => {
        await engine.fresh();
        last = null;
        return engine.mailbox();
      },
      run: async (mailboxId) => {
        last = await engine.get(MailboxTestService).test(engine.workspace, mailboxId, { sendTo: ADDRESS });
      },
      state: () => Promise.resolve(last?.sent?.outcome === 'accepted' ? 'sent' : 'failed'),
      close: () => engine.close(),
    };
  },
  { isLeased: false, isRepeated: false },
);

function toState(state: string): MailState {
  return SEND_STATES[state] ?? (state as MailState);
}
