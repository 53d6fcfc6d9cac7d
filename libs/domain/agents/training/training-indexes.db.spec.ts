import { Types } from 'mongoose';
import { AgentPageRecord } from './schemas/agent-page.record';
import { AgentTrainingRecord } from './schemas/agent-training.record';
import { TrainingFixture } from './testing/training-fixture';

describe('queries about trainings', () => {
  let fixture: TrainingFixture;
  const [agentId, trainingId] = [new Types.ObjectId(), new Types.ObjectId()];

  beforeAll(async () => {
    fixture = await TrainingFixture.open();
    await fixture.fresh();
    const { workspaceId } = fixture.workspace;
    const others = Array.from({ length: 30 }, () => ({
      workspaceId: new Types.ObjectId(),
      agentId: new Types.ObjectId(),
    }));
    await fixture.addTrainings([
      { workspaceId, agentId, url: 'https://a.test/' },
      ...others.map((other) => ({ ...other, url: 'https://a.test/', open: false, status: 'failed' })),
    ]);
    const pages = fixture.agents.model<AgentPageRecord>(AgentPageRecord);
    const said = { url: 'https://a.test/', status: 'read' };
    await pages.insertMany([
      { ...said, workspaceId, agentId, trainingId, place: 0 },
      ...others.map((other) => ({ ...said, ...other, trainingId: new Types.ObjectId(), place: 0 })),
    ]);
  });
  afterAll(() => fixture.close());

  const trainings = () => fixture.agents.model<AgentTrainingRecord>(AgentTrainingRecord);
  const pages = () => fixture.agents.model<AgentPageRecord>(AgentPageRecord);
  const mine = () => ({ workspaceId: fixture.workspace.workspaceId });

  it.each<[string, () => Promise<unknown>]>([
    [
      'the latest of an agent',
      () =>
        trainings()
          .find({ ...mine(), agentId })
          .sort({ createdAt: -1, _id: -1 })
          .explain(),
    ],
    [
      'the one under way',
      () =>
        trainings()
          .find({ ...mine(), agentId, open: true })
          .explain(),
    ],
    [
      'the one in use',
      () =>
        trainings()
          .find({ ...mine(), agentId, isCurrent: true })
          .explain(),
    ],
    [
      'those of a day',
      () =>
        trainings()
          .find({ ...mine(), createdAt: { $gt: new Date(0) } })
          .explain(),
    ],
    [
      'the pages of one',
      () =>
        pages()
          .find({ ...mine(), trainingId })
          .sort({ place: 1 })
          .explain(),
    ],
    [
      'the list of pages',
      () =>
        pages()
          .find({ ...mine(), trainingId })
          .sort({ createdAt: 1, _id: 1 })
          .explain(),
    ],
    [
      'the pages of an agent',
      () =>
        pages()
          .find({ ...mine(), agentId })
          .explain(),
    ],
  ])('find %s by an index', async (_what, explain) => {
    const told = JSON.stringify(await explain());
    expect(told).toContain('IXSCAN');
    expect(told).not.toContain('COLLSCAN');
  });
});
