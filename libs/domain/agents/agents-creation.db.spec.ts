import { AuditService } from '@domain/audit';
import { CreditsService } from '@domain/credits';
import { PageService, TransactionService } from '@platform/database';
import { type AppError } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { AgentRecord } from './schemas/agent.record';
import { AgentsFixture } from './testing';
import { AgentRepository } from './agent.repository';
import { AgentsService } from './agents.service';
import { AgentTrainingsService } from './training/agent-trainings.service';

describe('agents that several processes create at once', () => {
  let agents: AgentsFixture;

  beforeAll(async () => {
    agents = await AgentsFixture.open();
  });
  afterAll(() => agents.close());

  /** Each process serialises only its own requests. */
  const anotherProcess = () =>
    new AgentsService(
      agents.model(AgentRecord),
      agents.get(AgentRepository),
      agents.get(PageService),
      agents.get(AgentTrainingsService),
      agents.get(HookRegistry),
      agents.get(CreditsService),
      agents.get(AuditService),
      agents.get(TransactionService),
      agents.clock,
    );
  const racing = (processes: number) =>
    Promise.allSettled(
      Array.from({ length: processes }, anotherProcess).map((one, at) =>
        one.create(agents.workspace, { name: `Agent ${at}`, isDefault: at % 2 === 0 }),
      ),
    );
  const stored = () =>
    agents.model<AgentRecord>(AgentRecord).find({ workspaceId: agents.workspace.workspaceId }).lean<AgentRecord[]>();

  it('are as many as the credits allow, one of them the default', async () => {
    await agents.fresh(35);
    const results = await racing(6);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as AppError] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'INSUFFICIENT_CREDITS'));
    expect((await stored()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
    expect(await agents.get(CreditsService).balance(agents.workspace)).toMatchObject({ balance: 5 });
    expect(await agents.get(CreditsService).verify(agents.workspace)).toMatchObject({ ok: true });
  });

  it('have one default, even when no request names one', async () => {
    await agents.fresh(100);
    const [one, other] = [anotherProcess(), anotherProcess()];
    await Promise.all([
      one.create(agents.workspace, { name: 'One', isDefault: false }),
      other.create(agents.workspace, { name: 'Other', isDefault: false }),
    ]);
    expect((await stored()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });
});
