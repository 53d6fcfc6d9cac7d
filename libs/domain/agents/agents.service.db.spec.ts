import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { CreditsService } from '@domain/credits';
import { TransactionService } from '@platform/database';
import { Types } from 'mongoose';
import { type AgentHooks, AGENT_HOOKS } from './agent-hooks';
import { AgentRepository } from './agent.repository';
import { AgentTextRecord } from './schemas/agent-text.record';
import { AgentRecord } from './schemas/agent.record';
import { AgentsFixture, writtenText } from './testing';
import { AgentTextsService } from './texts/agent-texts.service';
import { AgentsService } from './agents.service';

const HOUR_MS = 3_600_000;
const forever = new AbortController().signal;

/** A listener that records its calls and fails on request. */
class Room implements AgentHooks {
  readonly notes: string[] = [];
  fails = false;
  inTransaction: () => boolean = () => false;

  created(_workspace: unknown, agent: AgentRecord): Promise<void> {
    return this.#note(`created ${agent.name} ${this.inTransaction()}`);
  }

  changed(_workspace: unknown, before: AgentRecord, after: AgentRecord | null): Promise<void> {
    return this.#note(`changed ${before.name} to ${after?.name ?? 'nothing'} ${this.inTransaction()}`);
  }

  notified(): Promise<void> {
    return this.#note(`notified ${this.inTransaction()}`);
  }

  #note(what: string): Promise<void> {
    this.notes.push(what);
    return this.fails ? Promise.reject(new Error('the listener fails')) : Promise.resolve();
  }
}

describe('agents and their listeners', () => {
  let agents: AgentsFixture;
  const room = new Room();

  beforeAll(async () => {
    agents = await AgentsFixture.open();
    addListener(agents.get(HookRegistry), AGENT_HOOKS, room);
    const transactions = agents.get(TransactionService);
    room.inTransaction = () => transactions.running;
  });
  afterAll(() => agents.close());
  beforeEach(async () => {
    await agents.fresh();
    room.notes.length = 0;
    room.fails = false;
  });

  const create = (name = 'Iris') => agents.get(AgentsService).create(agents.workspace, { name });
  const count = () =>
    agents.model<AgentRecord>(AgentRecord).countDocuments({ workspaceId: agents.workspace.workspaceId });
  const revision = async (id: string) => (await agents.get(AgentRepository).find(agents.workspace, id)).revision;

  it('notifies listeners of a new agent in its transaction and again after the commit', async () => {
    await create();
    expect(room.notes).toEqual(['created Iris true', 'notified false']);
  });

  it('creates no agent and charges nothing when a listener fails', async () => {
    room.fails = true;
    await expect(create()).rejects.toThrow('the listener fails');
    expect(await count()).toBe(0);
    expect(await agents.get(CreditsService).balance(agents.workspace)).toMatchObject({ balance: 100 });
  });

  it('notifies listeners of a change and of the deletion in their transactions', async () => {
    const { _id } = await create();
    room.notes.length = 0;
    await agents.get(AgentsService).update(agents.workspace, _id, { name: 'Otto' });
    await agents.get(AgentsService).delete(agents.workspace, _id);
    expect(room.notes).toEqual([
      'changed Iris to Otto true',
      'notified false',
      'changed Otto to nothing true',
      'notified false',
    ]);
  });

  it('notifies listeners after a request without a change, but records no change', async () => {
    const { _id } = await create();
    room.notes.length = 0;
    await agents.get(AgentsService).update(agents.workspace, _id, { name: 'Iris' });
    expect(room.notes).toEqual(['notified false']);
  });

  it('increments the revision with every change, so that a concurrent claim conflicts with it', async () => {
    const { _id } = await create();
    const first = await revision(_id);
    await agents.get(AgentsService).update(agents.workspace, _id, { name: 'Otto' });
    expect(await revision(_id)).toBeGreaterThan(first);
    const claimed = await agents.get(AgentRepository).claim(agents.workspace.workspaceId, _id);
    expect(claimed).toMatchObject({ name: 'Otto', revision: await revision(_id) });
  });

  it('retries one of two transactions when an agent is claimed and deleted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { _id } = await create();
      const begun = agents.get(TransactionService).run(async () => {
        const claimed = await agents.get(AgentRepository).claim(agents.workspace.workspaceId, _id);
        if (claimed) await agents.get(AgentTextsService).record(writtenText(claimed));
        return claimed !== null;
      });
      const [isBegun] = await Promise.all([begun, agents.get(AgentsService).delete(agents.workspace, _id)]);
      const texts = agents.model<AgentTextRecord>(AgentTextRecord);
      expect(await texts.countDocuments({ workspaceId: agents.workspace.workspaceId, agentId: _id })).toBe(
        Number(isBegun),
      );
      expect(await agents.get(AgentRepository).claim(agents.workspace.workspaceId, _id)).toBeNull();
    }
  });

  it('finds the default agent and the agents that reply autonomously', async () => {
    const made = await create();
    await create('Otto');
    const reads = agents.get(AgentRepository);
    const { workspaceId } = agents.workspace;
    expect((await reads.findDefault(workspaceId))?._id.toHexString()).toBe(made._id);
    expect(await reads.listAutonomous(workspaceId)).toEqual([]);
    await agents.get(AgentsService).update(agents.workspace, made._id, { autonomousMode: { enabled: true } });
    expect((await reads.listAutonomous(workspaceId)).map(({ name }) => name)).toEqual(['Iris']);
    await agents.get(AgentsService).update(agents.workspace, made._id, { isActive: false });
    expect(await reads.listAutonomous(workspaceId)).toEqual([]);
  });
});

describe('the data of deleted agents', () => {
  let agents: AgentsFixture;

  beforeAll(async () => {
    agents = await AgentsFixture.open();
  });
  afterAll(() => agents.close());
  beforeEach(() => agents.fresh());

  const texts = () =>
    agents.model<AgentTextRecord>(AgentTextRecord).countDocuments({ workspaceId: agents.workspace.workspaceId });
  const clear = (signal = forever) => agents.get(AgentsService).eraseDeleted(signal);

  it('erases the data of a deleted agent, late records included, and removes the record an hour later', async () => {
    const kept = await agents.agent();
    const gone = await agents.agent();
    await agents.get(AgentsService).delete(agents.workspace, gone._id.toHexString());
    for (const one of [kept, gone, gone]) await agents.get(AgentTextsService).record(writtenText(one));
    await clear();
    expect(await texts()).toBe(1);
    await agents.get(AgentTextsService).record(writtenText(gone));
    expect(await agents.stored(gone)).not.toBeNull();
    agents.clock.advance(HOUR_MS);
    await clear();
    expect(await texts()).toBe(1);
    expect(await agents.stored(gone)).toBeNull();
    expect(await agents.stored(kept)).not.toBeNull();
  });

  it('keeps the deleted agent for the next erasure when a listener fails', async () => {
    const gone = await agents.agent();
    await agents.get(AgentsService).delete(agents.workspace, gone._id.toHexString());
    agents.clock.advance(2 * HOUR_MS);
    const failing = jest.spyOn(agents.get(AgentTextsService), 'erase').mockRejectedValueOnce(new Error('away'));
    await expect(clear()).rejects.toThrow('away');
    failing.mockRestore();
    expect(await agents.stored(gone)).not.toBeNull();
    await clear();
    expect(await agents.stored(gone)).toBeNull();
  });

  it('stops the erasure when the signal aborts', async () => {
    const gone = await agents.agent();
    await agents.get(AgentsService).delete(agents.workspace, gone._id.toHexString());
    await expect(clear(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    await clear();
  });
});

describe('finding agents', () => {
  const MINE = 10;
  let agents: AgentsFixture;

  beforeAll(async () => {
    agents = await AgentsFixture.open();
    await agents.fresh();
    for (let at = 0; at < MINE; at += 1) await agents.agent();
    for (let at = 0; at < MINE; at += 1) await agents.agent({ workspaceId: new Types.ObjectId() });
  });
  afterAll(() => agents.close());

  it('lists the agents of a workspace by an index without scanning others', async () => {
    const { workspaceId } = agents.workspace;
    const plan = await agents
      .model<AgentRecord>(AgentRecord)
      .find({ workspaceId, deletedAt: null })
      .sort({ createdAt: -1, _id: -1 })
      .limit(26)
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_deletedAt_1_createdAt_-1__id_-1"');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: MINE } });
  });

  it('allows one default agent in a workspace', async () => {
    await agents.agent({ isDefault: true });
    await expect(agents.agent({ isDefault: true })).rejects.toMatchObject({ code: 11_000 });
  });
});
