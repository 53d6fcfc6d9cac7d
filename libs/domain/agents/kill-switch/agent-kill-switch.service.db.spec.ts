import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { TransactionService } from '@platform/database';
import { AgentsFixture } from '../testing';
import { AgentKillSwitchService } from './agent-kill-switch.service';
import { AGENT_HOOKS } from '../agent-hooks';

describe('the kill switch of a workspace', () => {
  let agents: AgentsFixture;
  let seen: string[];
  let failing: boolean;

  beforeAll(async () => {
    agents = await AgentsFixture.open();
    const running = () => agents.get(TransactionService).running;
    addListener(agents.get(HookRegistry), AGENT_HOOKS, {
      switchedOff: async ({ workspaceId }, reason) => {
        seen.push(`${reason}: ${await isOff(workspaceId)}, in a transaction: ${running()}`);
        if (failing) throw new Error('the listener fails');
      },
    });
  });
  afterAll(() => agents.close());
  beforeEach(async () => {
    seen = [];
    failing = false;
    await agents.fresh(0);
  });

  const isOff = (workspaceId = agents.workspace.workspaceId) => agents.get(AgentKillSwitchService).isOff(workspaceId);
  const setOff = (off: boolean, reason?: string) =>
    agents.get(AgentKillSwitchService).set(agents.workspace, { off, ...(reason && { reason }) });
  const NOTIFIED = 'The agents of the workspace were switched off: true, in a transaction: false';

  it('is stored before listeners withdraw open replies, and returns after they have', async () => {
    expect(await isOff()).toBe(false);
    await setOff(true, 'Stop');
    expect(seen).toEqual([NOTIFIED]);
    expect(await isOff()).toBe(true);
  });

  it('notifies listeners again on a repeated request, because the first may have failed', async () => {
    failing = true;
    await expect(setOff(true)).rejects.toThrow('the listener fails');
    expect(await isOff()).toBe(true);
    failing = false;
    await setOff(true);
    expect(seen).toEqual([NOTIFIED, NOTIFIED]);
  });

  it('withdraws nothing when agents are switched on', async () => {
    await setOff(true);
    seen = [];
    await setOff(false);
    expect(await isOff()).toBe(false);
    expect(seen).toEqual([]);
  });

  it('ends in the state of one of several concurrent requests', async () => {
    await Promise.all([setOff(true), setOff(false), setOff(true), setOff(false)]);
    const { off } = await agents.get(AgentKillSwitchService).read(agents.workspace);
    expect(await isOff()).toBe(off);
    const records = await agents.raw('agent_kill_switches').find({}).toArray();
    expect(records.filter(({ workspaceId }) => String(workspaceId) === agents.workspace.workspaceId)).toHaveLength(1);
  });
});
