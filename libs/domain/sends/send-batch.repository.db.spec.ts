import { Types } from 'mongoose';
import { type SendBatchRepository } from './send-batch.repository';
import { SendsFixture } from './testing/sends-fixture';

const AT = new Date('2026-03-02T10:00:00Z');
const HANDOVER = { subject: 'Hi', links: ['https://example.com/'], draftId: null, at: AT };

describe('the same transition of several sends', () => {
  let fixture: SendsFixture;
  let groups: SendBatchRepository;

  beforeAll(async () => {
    fixture = await SendsFixture.open();
    groups = fixture.groups;
  });
  afterAll(() => fixture.close());

  const three = async () => {
    const workspaceId = new Types.ObjectId();
    return Promise.all([1, 2, 3].map(() => fixture.claimed({ workspaceId })));
  };
  const toMarks = (sends: Awaited<ReturnType<typeof three>>) => sends.map((send) => ({ send, fields: HANDOVER }));

  it('claims unclaimed steps, each with a record like that of a single claim', async () => {
    const [one, two] = [fixture.newSend(), fixture.newSend()];
    const claimed = await groups.claimAll([one, { ...two, workspaceId: one.workspaceId }]);
    expect(claimed.map(({ _id }) => _id)).toEqual([one._id, two._id]);
    const alone = await fixture.claimed();
    const stored = await fixture.sendRecords.findOne({ _id: one._id, workspaceId: one.workspaceId }).lean();
    const single = await fixture.sendRecords.findOne({ _id: alone._id, workspaceId: alone.workspaceId }).lean();
    expect(stored).toMatchObject({ state: 'claimed', attempt: 1, fence: one.fence, messageId: one.messageId });
    expect(Object.keys(stored ?? {}).toSorted()).toEqual(Object.keys(single ?? {}).toSorted());
  });

  it('claims none if one of them is claimed already', async () => {
    const first = await fixture.claimed();
    const again = { ...fixture.newSend(), workspaceId: first.workspaceId, leadId: first.leadId, stepId: first.stepId };
    await expect(groups.claimAll([again])).rejects.toThrow(/duplicate/i);
  });

  it('marks all of them `sending`, and returns those that were withheld', async () => {
    const sends = await three();
    expect(await groups.markSendingAll(toMarks(sends))).toEqual([true, true, true]);
    const others = await three();
    await fixture.sends.withhold(
      String(others[1]!.workspaceId),
      { leadIds: [String(others[1]!.leadId)] },
      'Campaign paused',
    );
    expect(await groups.markSendingAll(toMarks(others))).toEqual([true, false, true]);
    expect(await fixture.stateOf(others[1]!)).toBe('withheld');
  });

  it('refuses to mark sends of an expired lease, or of another mailbox’s lease', async () => {
    const [one, two, three_] = await three();
    const late = [
      Object.assign(one!, { fence: one!.fence - 1 }),
      Object.assign(two!, { mailboxId: new Types.ObjectId() }),
      three_!,
    ];
    expect(await groups.markSendingAll(toMarks(late))).toEqual([false, false, true]);
  });

  it('marks all of them sent, or reports that one of them is not in `sending`', async () => {
    const sends = await three();
    const sent = sends.map((send) => ({ send, outcome: { state: 'sent', at: AT } as const }));
    expect(await groups.settleAllSent(sent)).toBe(false);
    const counted = () => fixture.series('outreach_sends_total{state="sent"}');
    expect(await counted()).toBe(0);
    await groups.markSendingAll(toMarks(sends));
    expect(await groups.settleAllSent(sent)).toBe(true);
    expect(await counted()).toBe(3);
    expect(await fixture.stateOf(sends[2]!)).toBe('sent');
  });
});
