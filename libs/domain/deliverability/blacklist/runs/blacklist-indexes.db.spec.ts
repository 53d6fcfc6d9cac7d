import { Types } from 'mongoose';
import { BlacklistFindingRecord } from '../schemas/blacklist-finding.record';
import { MailboxBlacklistStatusRecord } from '../schemas/mailbox-blacklist-status.record';
import { BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { SendingAddressRecord } from '../schemas/sending-address.record';
import { BlacklistFixture } from '../testing/blacklist-fixture';

const id = () => new Types.ObjectId();
const mine = id();
const testId = id();
const COUNT = 30;

/** Creates as many records for another workspace or test as for the one in the query. */
const each = <T>(make: (owner: Types.ObjectId, at: number) => T): T[] =>
  [mine, id()].flatMap((owner) => Array.from({ length: COUNT }, (_, at) => make(owner, at)));

describe('queries about blacklist tests', () => {
  let fixture: BlacklistFixture;
  const listed = id();

  beforeAll(async () => {
    fixture = await BlacklistFixture.open();
    const expiresAt = fixture.clock.in(86_400_000);
    const test = {
      userId: id(),
      testCode: 'BL-1-00000000',
      testName: 'T',
      mailboxes: [],
      progress: { done: 0, total: 0 },
    };
    const tests = fixture.model<BlacklistTestRecord>(BlacklistTestRecord);
    await tests.insertMany(
      each((workspaceId, at) => {
        const due = at < 3 ? { open: true, nextAt: new Date() } : { open: false };
        return { ...test, workspaceId, expiresAt, ...due };
      }),
    );
    const found = { kind: 'domain', listings: [], others: [], counts: {}, complete: true };
    const findings = fixture.model<BlacklistFindingRecord>(BlacklistFindingRecord);
    await findings.insertMany(
      each((owner, at) => ({
        ...found,
        workspaceId: mine,
        testId: owner === mine ? testId : owner,
        subject: `${at}.example`,
        expiresAt,
      })),
    );
    const standings = fixture.model<MailboxBlacklistStatusRecord>(MailboxBlacklistStatusRecord);
    await standings.insertMany(
      each((workspaceId, at) => ({
        _id: workspaceId === mine && at === 0 ? listed : id(),
        workspaceId,
        listings: [],
        testId,
        testedAt: new Date(),
      })),
    );
    const addresses = fixture.model<SendingAddressRecord>(SendingAddressRecord);
    await addresses.insertMany(
      each((workspaceId, at) => ({
        workspaceId,
        mailboxId: at === 0 ? listed : id(),
        address: `5.5.5.${at}`,
        seenAt: new Date(),
        expiresAt,
      })),
    );
  });
  afterAll(() => fixture.close());

  it('list those of a workspace by an index without scanning others', async () => {
    const plan = await fixture
      .model<BlacklistTestRecord>(BlacklistTestRecord)
      .find({ workspaceId: mine })
      .sort({ createdAt: -1, _id: -1 })
      .limit(26)
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_createdAt_-1__id_-1"');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: COUNT } });
  });

  it('count the open ones of a workspace by an index without scanning finished ones', async () => {
    const plan = await fixture
      .model<BlacklistTestRecord>(BlacklistTestRecord)
      .find({ workspaceId: mine, open: true })
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_open_1"');
    expect(plan).toMatchObject({ executionStats: { totalKeysExamined: 3, totalDocsExamined: 3 } });
  });

  it('find due ones by an index of due ones only', async () => {
    const plan = await fixture
      .model<BlacklistTestRecord>(BlacklistTestRecord)
      .find({ nextAt: { $gte: new Date(1), $lte: new Date() } })
      .sort({ nextAt: 1, _id: 1 })
      .setOptions({ allWorkspaces: 'a test' })
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"nextAt_1__id_1"');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 6 } });
  });

  it('find the findings of a test by an index', async () => {
    const plan = await fixture
      .model<BlacklistFindingRecord>(BlacklistFindingRecord)
      .find({ workspaceId: mine, testId })
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_testId_1_subject_1"');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: COUNT } });
  });

  it('find the status and the addresses of a mailbox by an index', async () => {
    const standing = await fixture
      .model<MailboxBlacklistStatusRecord>(MailboxBlacklistStatusRecord)
      .find({ workspaceId: mine, _id: { $in: [listed] } })
      .explain('executionStats');
    expect(standing).toMatchObject({ executionStats: { totalDocsExamined: 1 } });
    const addresses = await fixture
      .model<SendingAddressRecord>(SendingAddressRecord)
      .find({ workspaceId: mine, mailboxId: { $in: [listed] } })
      .explain('executionStats');
    expect(addresses).toMatchObject({ executionStats: { totalDocsExamined: 1 } });
  });
});
