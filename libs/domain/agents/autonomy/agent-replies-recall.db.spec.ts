import { ConversationUpdateService, InboxReplyRepository } from '@domain/inbox';
import { AgentsService } from '../agents.service';
import { AgentKillSwitchRecord } from '../schemas/agent-kill-switch.record';
import { AgentReplyEligibilityService } from './agent-reply-eligibility.service';
import { AutonomyFixture } from './testing/autonomy-fixture';

const HOUR_MS = 3_600_000;
const AFTERNOON = { timezone: 'UTC', startTime: '11:00', endTime: '15:00', workingDays: [1, 2, 3, 4, 5] };

let agents: AutonomyFixture;
let agentId: string;

beforeAll(async () => {
  agents = await AutonomyFixture.open();
});
afterAll(() => agents.close());

/** Runs jobs until the inbox has the reply. */
beforeEach(async () => {
  await agents.fresh();
  agentId = (await agents.agent({ mode: { workingHours: AFTERNOON } }))._id.toHexString();
  await agents.answered();
  await agents.work();
  expect(await agents.reply()).toMatchObject({ state: 'handed' });
});

const change = (autonomousMode: object) =>
  agents.get(AgentsService).update(agents.workspace, agentId, { autonomousMode });

describe('a reply that waits for its mailbox', () => {
  it('is recalled when the agent stops, and sent once when the agent works again', async () => {
    agents.clock.freeze(new Date('2026-11-25T14:59:59Z'));
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'handed', dueAt: new Date('2026-11-25T15:00:00Z') });
    agents.clock.freeze(new Date('2026-11-25T15:00:00Z'));
    await agents.work();
    const tomorrow = new Date('2026-11-26T11:00:00Z');
    expect(await agents.reply()).toMatchObject({ state: 'scheduled', dueAt: tomorrow, replyId: null, handedDay: null });
    await agents.runMailbox();
    expect(agents.given()).toEqual([]);
    agents.clock.freeze(tomorrow);
    await agents.settle();
    expect(await agents.reply()).toMatchObject({ state: 'sent', handedDay: '2026-11-26' });
    expect(agents.given()).toHaveLength(1);
    expect((await agents.queued()).map(({ state }) => state)).toEqual(['cancelled', 'sent']);
  });

  it('waits for approval when approval becomes required', async () => {
    await change({ approval: 'required' });
    await agents.settle();
    expect(await agents.reply()).toMatchObject({ state: 'awaiting_approval' });
    expect(agents.given()).toEqual([]);
  });

  it('is left to people when the message contains a new stop word', async () => {
    await change({ stopWords: ['interested'] });
    await agents.settle();
    expect(await agents.reply()).toMatchObject({ state: 'cancelled', cause: 'stop_word' });
    expect(agents.given()).toEqual([]);
  });

  it('is sent once in the new working hours, even when a mailbox sender has claimed it during the change', async () => {
    const outgoing = agents.get(InboxReplyRepository);
    const toWire = outgoing.markSending.bind(outgoing);
    jest.spyOn(outgoing, 'markSending').mockImplementationOnce(async (...given) => {
      await change({ workingHours: { ...AFTERNOON, startTime: '14:00' } });
      return toWire(...given);
    });
    await agents.settle();
    expect(agents.given()).toEqual([]);
    expect(await agents.reply()).toMatchObject({ state: 'scheduled', cause: 'hours' });
    agents.clock.freeze(new Date('2026-11-25T14:00:00Z'));
    await agents.settle();
    expect(agents.given()).toHaveLength(1);
  });

  it('stays queued when unrelated settings change', async () => {
    const { replyId } = await agents.reply();
    await agents.get(AgentsService).update(agents.workspace, agentId, { persona: { tone: 'dry' } });
    expect(await agents.reply()).toMatchObject({ state: 'handed', replyId });
  });

  it('is recalled although the process that switched the agents off crashed first', async () => {
    const { workspaceId } = agents.workspace;
    await agents.inbox
      .model<AgentKillSwitchRecord>(AgentKillSwitchRecord)
      .create({ workspaceId, off: true, reason: null });
    agents.clock.advance(HOUR_MS);
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'cancelled', cause: 'kill_switch' });
    await agents.runMailbox();
    expect(agents.given()).toEqual([]);
  });

  it('ignores a recall that read the reply before its restart', async () => {
    const facts = agents.get(AgentReplyEligibilityService);
    const look = facts.evaluate.bind(facts);
    const id = (await agents.reply()).conversationId.toHexString();
    const relabelled = (label: 'negative' | 'positive') =>
      agents.get(ConversationUpdateService).update(agents.workspace, id, { label });
    jest.spyOn(facts, 'evaluate').mockImplementationOnce(async (reply) => {
      await relabelled('negative');
      const seen = await look(reply);
      await relabelled('positive');
      return seen;
    });
    agents.clock.advance(10_000);
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'handed', cause: null });
    await agents.settle();
    expect(agents.given()).toHaveLength(1);
  });
});
