import { type WorkspaceScope } from '@domain/access';
import { Types } from 'mongoose';
import { BlacklistFixture } from '../testing/blacklist-fixture';
import { MailboxBlacklistStatusRepository } from './mailbox-blacklist-status.repository';

const LISTED = { A: ['127.0.0.2'] };

describe('the blacklist status of a mailbox whose SMTP host does not always resolve', () => {
  let fixture: BlacklistFixture;
  let workspace: WorkspaceScope;
  let mailbox: string;

  beforeAll(async () => {
    fixture = await BlacklistFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    workspace = await fixture.fresh();
    mailbox = await fixture.mailbox(workspace, 'ada@acme.example', 'smtp.test');
  });

  const listings = async () => {
    const ids = [new Types.ObjectId(mailbox)];
    const standings = await fixture
      .get(MailboxBlacklistStatusRepository)
      .find(new Types.ObjectId(workspace.workspaceId), ids);
    return standings.get(mailbox)?.listings;
  };
  const told = async () => (await fixture.events(workspace, 'mailbox.blacklisted')).length;

  it.each([
    ['is not answered for', 'timeout'],
    ['is answered for by half', { A: 'timeout', AAAA: ['2a00::1'] }],
  ] as const)('does not change when the host %s, and its event is recorded once', async (_what, half) => {
    fixture.publish({ 'smtp.test': { A: ['5.6.7.8'] }, '8.7.6.5.bl.test': LISTED });
    await fixture.test(workspace, mailbox);
    expect(await told()).toBe(1);
    fixture.publish({ 'smtp.test': half });
    const { results } = await fixture.test(workspace, mailbox);
    expect(results[0]!.notChecked).toEqual([{ what: 'addresses', reason: 'host_unanswered' }]);
    expect(await listings()).toMatchObject([{ zone: 'bl.test', subject: '5.6.7.8' }]);
    fixture.publish({ 'smtp.test': { A: ['5.6.7.8'] } });
    await fixture.test(workspace, mailbox);
    expect(await told()).toBe(1);
  });

  it('drops a listing when the host has another address', async () => {
    fixture.publish({ 'smtp.test': { A: ['5.6.7.8'] }, '8.7.6.5.bl.test': LISTED });
    await fixture.test(workspace, mailbox);
    fixture.publish({ 'smtp.test': { A: ['5.6.7.9'] } });
    await fixture.test(workspace, mailbox);
    expect(await listings()).toEqual([]);
  });
});
