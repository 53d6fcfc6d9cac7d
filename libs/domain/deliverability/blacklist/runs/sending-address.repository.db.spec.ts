import { type WorkspaceScope } from '@domain/access';
import { MailboxDeletionService } from '@domain/mailboxes';
import { Types } from 'mongoose';
import { SendingAddressRecord } from '../schemas/sending-address.record';
import { BlacklistFixture } from '../testing/blacklist-fixture';
import { MailboxBlacklistStatusRepository } from './mailbox-blacklist-status.repository';
import { SendingAddressRepository } from './sending-address.repository';

const DAY_MS = 86_400_000;

describe('sending addresses of mailboxes', () => {
  let fixture: BlacklistFixture;
  let workspace: WorkspaceScope;
  let mailbox: string;

  beforeAll(async () => {
    fixture = await BlacklistFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    workspace = await fixture.fresh();
    mailbox = await fixture.mailbox(workspace, 'a@acme.example', 'google');
  });

  const learn = async (...addresses: string[]) => {
    for (const address of addresses) {
      fixture.clock.advance(1_000);
      await fixture.get(SendingAddressRepository).learn(workspace.workspaceId, mailbox, address);
    }
  };
  const known = async (id = mailbox) =>
    (
      await fixture
        .get(SendingAddressRepository)
        .listByMailbox(new Types.ObjectId(workspace.workspaceId), [new Types.ObjectId(id)])
    ).get(id);

  it('are the latest five, without duplicates, in one spelling', async () => {
    await learn('5.5.5.1', '5.5.5.2', '2A00::0:1', '5.5.5.3', '5.5.5.1', '::ffff:5.5.5.4', '5.5.5.5');
    expect(await known()).toEqual(['5.5.5.5', '5.5.5.4', '5.5.5.1', '5.5.5.3', '2a00::1']);
    const where = { workspaceId: workspace.workspaceId };
    expect(await fixture.model<SendingAddressRecord>(SendingAddressRecord).countDocuments(where)).toBe(5);
  });

  it('are removed after 30 days without use', async () => {
    await learn('5.5.5.1');
    fixture.clock.advance(29 * DAY_MS);
    await learn('5.5.5.2');
    fixture.clock.advance(1 * DAY_MS);
    expect(await known()).toEqual(['5.5.5.2']);
  });

  it('exclude private addresses, and are empty for an invalid id of a mailbox or workspace', async () => {
    await learn('10.0.0.1', '127.0.0.1', 'mail.example.com', '', '300.1.1.1');
    await fixture.get(SendingAddressRepository).learn('x', mailbox, '5.5.5.1');
    await fixture.get(SendingAddressRepository).learn(workspace.workspaceId, 'x', '5.5.5.1');
    expect(await known()).toBeUndefined();
  });

  it('are stored once under concurrent writes', async () => {
    const learnOne = () => fixture.get(SendingAddressRepository).learn(workspace.workspaceId, mailbox, '5.5.5.9');
    await Promise.all(Array.from({ length: 8 }, learnOne));
    expect(await known()).toEqual(['5.5.5.9']);
  });

  it('are deleted with the mailbox, like its status', async () => {
    await learn('5.5.5.1');
    await fixture.test(workspace, mailbox);
    const standings = () =>
      fixture
        .get(MailboxBlacklistStatusRepository)
        .find(new Types.ObjectId(workspace.workspaceId), [new Types.ObjectId(mailbox)]);
    expect((await standings()).size).toBe(1);
    await fixture.get(MailboxDeletionService).delete(workspace, mailbox, {});
    expect(await known()).toBeUndefined();
    expect((await standings()).size).toBe(0);
  });
});
