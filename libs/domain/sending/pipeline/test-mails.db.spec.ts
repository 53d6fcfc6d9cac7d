import { MailboxFiguresService } from '@domain/mailboxes';
import { SendingFixture } from '../testing/sending-fixture';

const LEADS = ['ann@acme.test', 'bob@acme.test', 'eve@acme.test'];

let engine: SendingFixture;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(() => engine.fresh());

describe('test mails of people', () => {
  it('count towards the mailbox’s day: campaigns send the remaining number', async () => {
    const mailboxId = await engine.mailbox({ dailySendLimit: 3 });
    await engine.campaign([mailboxId], LEADS);
    await engine.get(MailboxFiguresService).count(engine.workspace, mailboxId, { sent: 2 });
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual(LEADS.slice(0, 1));
  });

  it('count only on their own day', async () => {
    const mailboxId = await engine.mailbox({ dailySendLimit: 3 });
    await engine.campaign([mailboxId], LEADS);
    const yesterday = new Date(engine.clock.now().getTime() - 24 * 3_600_000);
    await engine.get(MailboxFiguresService).count(engine.workspace, mailboxId, { sent: 2 }, yesterday);
    await engine.run(mailboxId);
    expect(engine.recipients()).toHaveLength(3);
  });
});
