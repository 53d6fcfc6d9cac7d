import { MAILBOX_HOOKS } from '@domain/mailboxes';
import { systemScope } from '@domain/access';
import { rounds } from '@testing';
import { Types } from 'mongoose';
import { type SendRecord } from './schemas/send.record';
import { id, SendsFixture } from './testing/sends-fixture';

const START = new Date('2026-03-02T09:00:00Z');
const LATER = new Date('2026-03-02T10:00:00Z');
const handover = { subject: 'Hi', links: ['https://a.test/'], draftId: null, at: START };

let fixture: SendsFixture;
beforeAll(async () => {
  fixture = await SendsFixture.open();
  fixture.clock.freeze(START);
});
afterAll(() => fixture.close());

const stored = ({ _id, workspaceId }: SendRecord) => fixture.sendRecords.findOne({ _id, workspaceId }).lean();
const sameStep = ({ workspaceId, leadId, stepId }: SendRecord) => ({ workspaceId, leadId, stepId });

describe('a claim', () => {
  it('creates a send with the given id and Message-ID', async () => {
    const fields = fixture.newSend();
    const send = await fixture.sends.claim(fields);
    expect(send).toMatchObject({
      ...fields,
      state: 'claimed',
      attempt: 1,
      createdAt: START,
      resolveAt: null,
      links: [],
    });
    expect(await stored(send!)).toEqual(send);
  });

  it('in a race of ten creates exactly one send for the lead and the step', async () => {
    for (let round = 0; round < 5; round++) {
      const step = { workspaceId: new Types.ObjectId(), leadId: new Types.ObjectId(), stepId: new Types.ObjectId() };
      const claims = await Promise.all(Array.from({ length: 10 }, () => fixture.sends.claim(fixture.newSend(step))));
      expect(claims.filter((send) => send !== null)).toHaveLength(1);
      expect(await fixture.sendRecords.countDocuments(step)).toBe(1);
    }
  });

  it('in a race of transactions does not fail those that come too late', async () => {
    const step = { workspaceId: new Types.ObjectId(), leadId: new Types.ObjectId(), stepId: new Types.ObjectId() };
    const claims = await Promise.all(
      Array.from({ length: 10 }, () =>
        fixture.transactions.run(async () => {
          const send = await fixture.sends.claim(fixture.newSend(step));
          await fixture.claimed({ workspaceId: step.workspaceId }); // A second write, which must not be lost.
          return send;
        }),
      ),
    );
    expect(claims.filter((send) => send !== null)).toHaveLength(1);
    expect(await fixture.sendRecords.countDocuments({ workspaceId: step.workspaceId })).toBe(11);
  });

  it('of a further attempt keeps id and Message-ID, and succeeds for one lease only', async () => {
    const first = await fixture.claimed();
    await fixture.sends.markSending(first, { ...handover, draftId: 'd1' });
    await fixture.sends.settle(first, 'sending', { state: 'retry', reason: 'Busy' });
    const mailboxId = new Types.ObjectId();
    const again = await Promise.all(
      Array.from({ length: 10 }, (_each, index) =>
        fixture.sends.claim(fixture.newSend({ ...sameStep(first), mailboxId, fence: 10 + index })),
      ),
    );
    const [won, ...others] = again.filter((send) => send !== null);
    expect(others).toEqual([]);
    const { _id, messageId } = first;
    expect(won).toMatchObject({
      _id,
      messageId,
      mailboxId,
      state: 'claimed',
      attempt: 2,
      draftId: null,
      handoverAt: null,
    });
  });

  it('of a withheld and released send counts as the same attempt', async () => {
    const first = await fixture.claimed();
    await fixture.sends.withhold(first.workspaceId.toHexString(), {}, 'Paused');
    expect(await fixture.sends.claim(fixture.newSend({ ...sameStep(first), fence: 2 }))).toBeNull();
    expect(await fixture.sends.release(first, 'Withheld')).toBe(true);
    const again = await fixture.sends.claim(fixture.newSend({ ...sameStep(first), fence: 2 }));
    expect(again).toMatchObject({ _id: first._id, attempt: 1, fence: 2, reason: null });
  });

  it.each(['claimed', 'sending', 'sent', 'failed', 'ambiguous', 'sent_unconfirmed'] as const)(
    'finds no send to claim that is %s',
    async (state) => {
      const first = await fixture.claimed();
      const { _id, workspaceId } = first;
      await fixture.sendRecords.updateOne({ _id, workspaceId }, { $set: { state } });
      expect(await fixture.sends.claim(fixture.newSend(sameStep(first)))).toBeNull();
      expect(await stored(first)).toMatchObject({ state, fence: 1, attempt: 1 });
    },
  );
});

describe('a send of a run', () => {
  it('is marked `sending` once, with its rendered content', async () => {
    const send = await fixture.claimed();
    expect(await fixture.sends.markSending(send, handover)).toBe(true);
    expect(await fixture.sends.markSending(send, handover)).toBe(false);
    expect(await stored(send)).toMatchObject({
      state: 'sending',
      subject: 'Hi',
      links: handover.links,
      handoverAt: START,
    });
  });

  it.each([
    ['of another lease', { fence: 2 }],
    ['of another mailbox’s lease with the same fence', { mailboxId: new Types.ObjectId() }],
  ])('is refused to the holder %s', async (_which, other) => {
    const send = await fixture.claimed({ fence: 3 });
    const { _id, workspaceId, mailboxId, fence } = send;
    const late = { _id, workspaceId, mailboxId, fence, ...other };
    expect(await fixture.sends.markSending(late, handover)).toBe(false);
    expect(await fixture.sends.settle(late, 'claimed', { state: 'retry', reason: '' })).toBe(false);
    await fixture.sends.markSending(send, handover);
    expect(await fixture.sends.settle(late, 'sending', { state: 'sent', at: START })).toBe(false);
    expect(await fixture.stateOf(send)).toBe('sending');
  });

  it('is refused in another workspace', async () => {
    const { _id, mailboxId, fence } = await fixture.claimed();
    const elsewhere = { _id, mailboxId, fence, workspaceId: new Types.ObjectId() };
    expect(await fixture.sends.markSending(elsewhere, handover)).toBe(false);
  });

  it('stores the reply of the server', async () => {
    const send = await fixture.claimed();
    await fixture.sends.markSending(send, { ...handover, draftId: 'd1' });
    const lastReply = { code: '250', enhancedCode: '2.0.0', command: null, response: 'Queued' };
    const outcome = { state: 'sent', at: LATER, lastReply, providerMessageId: 'p1', providerThreadId: 't1' } as const;
    const before = await fixture.series('outreach_sends_total{state="sent"}');
    expect(await fixture.sends.settle(send, 'sending', outcome)).toBe(true);
    expect(await fixture.sends.settle(send, 'sending', outcome)).toBe(false);
    expect(await fixture.series('outreach_sends_total{state="sent"}')).toBe(before + 1);
    expect(await stored(send)).toMatchObject({
      state: 'sent',
      sentAt: LATER,
      lastReply,
      providerMessageId: 'p1',
      providerThreadId: 't1',
      draftId: null,
    });
  });

  it('never changes in a way that the table of states excludes', async () => {
    const send = await fixture.claimed();
    await expect(fixture.sends.settle(send, 'claimed', { state: 'sent', at: START })).rejects.toThrow(
      'claimed to sent',
    );
  });

  it('is settled with the rest of the transaction or not at all', async () => {
    const send = await fixture.claimed();
    const failing = fixture.transactions.run(async () => {
      await fixture.sends.settle(send, 'claimed', { state: 'failed', reason: 'Too large' });
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await fixture.stateOf(send)).toBe('claimed');
    expect(await fixture.series('outreach_sends_total{state="failed"}')).toBe(0);
  });
});

describe('an ambiguous send', () => {
  const ambiguous = async (resolveAt = START) => {
    const send = await fixture.claimed();
    await fixture.sends.markSending(send, { ...handover, draftId: 'd1' });
    await fixture.sends.settle(send, 'sending', { state: 'ambiguous', reason: 'No answer', resolveAt });
    return (await stored(send))!;
  };

  it('is resolved when it is due, by one worker at a time', async () => {
    const soon = await ambiguous();
    await ambiguous(LATER);
    const due = await fixture.sends.listDueForResolution(START, 10);
    expect(due).toEqual([soon]);
    expect(await fixture.sends.countAmbiguous(1)).toBe(1);
    expect(await fixture.sends.countAmbiguous(100)).toBeGreaterThan(1);
    const taken = await Promise.all([1, 2, 3].map(() => fixture.sends.rescheduleResolution(soon, LATER)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await fixture.sends.listDueForResolution(START, 10)).toEqual([]);
    expect(await fixture.sends.listDueForResolution(LATER, 1)).toHaveLength(1);
  });

  it.each([
    ['sent', { state: 'sent', at: LATER, reason: 'Found in Sent' }, { sentAt: LATER, draftId: null }],
    ['sent_unconfirmed', { state: 'sent_unconfirmed', at: LATER, reason: 'No proof' }, { sentAt: LATER }],
    ['retry', { state: 'retry', reason: 'The draft is still there' }, { sentAt: null }],
  ] as const)('ends as %s, and does not change again', async (_what, resolution, fields) => {
    const send = await ambiguous();
    expect(await fixture.sends.resolve(send, resolution)).toBe(true);
    expect(await stored(send)).toMatchObject({ ...fields, state: resolution.state, resolveAt: null });
    expect(await fixture.sends.resolve(send, { state: 'retry', reason: 'late' })).toBe(false);
  });
});

describe('withholding', () => {
  it('withholds claimed emails only, and returns them', async () => {
    const workspaceId = new Types.ObjectId();
    const campaignId = new Types.ObjectId();
    const send = await fixture.claimed({ workspaceId, campaignId, fence: 7 });
    const other = await fixture.claimed({ workspaceId });
    const inHandover = await fixture.claimed({ workspaceId, campaignId });
    await fixture.sends.markSending(inHandover, handover);
    const elsewhere = await fixture.claimed({ campaignId });
    const scope = { campaignId: campaignId.toHexString() };
    const withheld = await fixture.sends.withhold(workspaceId.toHexString(), scope, 'Campaign paused');
    const { _id, leadId, stepId, mailboxId } = send;
    expect(withheld).toEqual([expect.objectContaining({ _id, leadId, stepId, mailboxId, fence: 7 })]);
    expect(await stored(send)).toMatchObject({ state: 'withheld', reason: 'Campaign paused' });
    expect(await fixture.stateOf(other)).toBe('claimed');
    expect(await fixture.stateOf(inHandover)).toBe('sending');
    expect(await fixture.stateOf(elsewhere)).toBe('claimed');
    expect(await fixture.sends.markSending(send, handover)).toBe(false);
    expect(await fixture.sends.withhold(workspaceId.toHexString(), scope, 'Again')).toEqual([]);
  });

  it('in a race with the handover, exactly one of them succeeds', async () => {
    const workspaceId = new Types.ObjectId();
    for (let round = 0; round < rounds(200, 30); round++) {
      const send = await fixture.claimed({ workspaceId });
      const scope = { leadIds: [send.leadId.toHexString()] };
      const mark = () => fixture.sends.markSending(send, handover);
      const withhold = () => fixture.sends.withhold(workspaceId.toHexString(), scope, 'Stopped');
      // In both orders, so that each is the first to start.
      const both = async () => (round % 2 ? Promise.all([mark(), withhold()]) : reversed(withhold(), mark()));
      const [inHandover, withheld] = await both();
      expect([inHandover, withheld.length]).toEqual(inHandover ? [true, 0] : [false, 1]);
      expect(await fixture.stateOf(send)).toBe(inHandover ? 'sending' : 'withheld');
      if (inHandover) await fixture.sends.settle(send, 'sending', { state: 'sent', at: START });
    }
  });

  it('is refused inside a transaction, where it would miss claims', async () => {
    const inside = fixture.transactions.run(() => fixture.sends.withhold(id(), {}, 'Paused'));
    await expect(inside).rejects.toThrow('inside a transaction');
  });
});

async function reversed<A, B>(one: Promise<A>, other: Promise<B>): Promise<[B, A]> {
  const [first, second] = await Promise.all([one, other]);
  return [second, first];
}

describe('searches for sends', () => {
  it('finds the sends of a mailbox that are in flight', async () => {
    const workspaceId = new Types.ObjectId();
    const mailboxId = new Types.ObjectId();
    const mine = await Promise.all([1, 2, 3].map(() => fixture.claimed({ workspaceId, mailboxId })));
    await fixture.claimed({ workspaceId });
    await fixture.sends.markSending(mine[0]!, handover);
    await fixture.sends.settle(mine[1]!, 'claimed', { state: 'retry', reason: '' });
    const found = await fixture.sends.listInFlight(workspaceId, mailboxId);
    expect(found.map(({ state }) => state).toSorted()).toEqual(['claimed', 'sending']);
  });

  it('finds those of a lead, in order, and those with a Message-ID, in their own workspace', async () => {
    const workspaceId = new Types.ObjectId();
    const leadId = new Types.ObjectId();
    const first = await fixture.claimed({ workspaceId, leadId });
    fixture.clock.freeze(LATER);
    const second = await fixture.claimed({ workspaceId, leadId, stepOrder: 1 });
    fixture.clock.freeze(START);
    const ids = (sends: SendRecord[]) => sends.map(({ _id }) => _id.toHexString());
    expect(ids(await fixture.sends.listOfLead(workspaceId, leadId))).toEqual(ids([first, second]));
    expect(ids(await fixture.sends.listByMessageIds(workspaceId, [second.messageId, '<x@y>']))).toEqual(ids([second]));
    expect(await fixture.sends.listOfLeads(id(), [leadId])).toEqual([]);
    expect(await fixture.sends.listByMessageIds(id(), [second.messageId])).toEqual([]);
  });
});

describe('a deleted mailbox', () => {
  it('loses its lease and hands over nothing, and an interrupted handover is resolved', async () => {
    const workspaceId = new Types.ObjectId();
    const mailboxId = new Types.ObjectId();
    const [claimed, inHandover] = await Promise.all([1, 2].map(() => fixture.claimed({ workspaceId, mailboxId })));
    await fixture.sends.markSending(inHandover!, handover);
    const other = await fixture.claimed({ workspaceId });
    await fixture.transactions.run(() =>
      fixture.leases.schedule(workspaceId.toHexString(), [mailboxId.toHexString()], START),
    );
    const workspace = systemScope(workspaceId.toHexString());
    await fixture.transactions.run(() =>
      fixture.hooks.call(MAILBOX_HOOKS, 'released', workspace, mailboxId.toHexString()),
    );
    expect(await fixture.leases.acquire(mailboxId.toHexString())).toBeNull();
    expect(await fixture.stateOf(claimed!)).toBe('withheld');
    expect(await stored(inHandover!)).toMatchObject({ state: 'ambiguous', reason: 'The mailbox was deleted' });
    expect((await stored(inHandover!))?.resolveAt).not.toBeNull();
    expect(await fixture.stateOf(other)).toBe('claimed');
  });
});
