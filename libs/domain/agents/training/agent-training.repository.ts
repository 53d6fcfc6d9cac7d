import { type CrawledPage } from '@adapters/web';
import { systemScope } from '@domain/access';
import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Lease, TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { type OpenTraining } from './agent-training.queue';
import { type Excerpt, selectExcerpts } from './knowledge/excerpts';
import { type CompanyProfile } from './profile/company-profile';
import { AgentPageRecord } from './schemas/agent-page.record';
import { AgentTrainingRecord, type TrainingProblem } from './schemas/agent-training.record';
import { TrainingSupersededError } from './training.errors';

/** How long a training is kept that nothing is written by any more, with its pages. */
const RETENTION_MS = 30 * 86_400_000;

/** A training that a worker has in hand. */
export type LeasedTraining = Pick<AgentTrainingRecord, '_id' | 'workspaceId' | 'agentId' | 'fence'>;

/** What a training ends with; `profileReason` says why there is no profile. */
export interface TrainingOutcome {
  readonly profile: CompanyProfile | null;
  readonly profileReason: string | null;
}

type Changes = Partial<Omit<AgentTrainingRecord, '_id'>>;

/** Workspaces that one sweep looks at, those that have waited for longest first. */
const MAX_SWEPT_WORKSPACES = 1_000;

/** Passages that one answer is written by. */
const MAX_EXCERPTS = 6;

export interface Knowledge {
  /** null: the agent has not learnt anything yet, or nobody wrote one. */
  readonly profile: CompanyProfile | null;
  /** Words of a website, to be quoted to a model and never to be obeyed. */
  readonly excerpts: readonly Excerpt[];
}

/** Trainings with their pages. Only the worker that holds the lease of a training changes its state. */
@Injectable()
export class AgentTrainingRepository {
  constructor(
    @InjectModel(AgentTrainingRecord.name) private readonly trainings: Model<AgentTrainingRecord>,
    @InjectModel(AgentPageRecord.name) private readonly pages: Model<AgentPageRecord>,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Takes a training up, for the first time or again; null when it is over or gone. */
  async acquire(workspaceId: string, _id: Types.ObjectId, { fence }: Lease): Promise<AgentTrainingRecord | null> {
    const first = { $set: { status: 'running', startedAt: this.clock.now() } };
    await this.trainings.updateOne({ _id, workspaceId, open: true, startedAt: null }, first);
    return this.trainings
      .findOneAndUpdate(
        { _id, workspaceId, open: true, fence: { $lt: fence } },
        { $set: { fence }, $inc: { attempts: 1 } },
        { returnDocument: 'after' },
      )
      .lean<AgentTrainingRecord>();
  }

  /** Keeps a page at once: a worker that dies has read it for whoever goes on. @throws TrainingSupersededError */
  async savePage(
    held: LeasedTraining,
    page: CrawledPage,
    at: { place: number; found: number; spentMs: number },
  ): Promise<void> {
    const { _id: trainingId, workspaceId, agentId } = held;
    const isRead = page.status === 'read';
    const $inc = { spentMs: at.spentMs, read: isRead ? 1 : 0, skipped: isRead ? 0 : 1 };
    await this.transactions.run(async () => {
      // Whoever deletes the agent writes this record too: no page comes after that.
      await this.#write(held, { found: at.found, attempts: 0 }, $inc);
      const { links, ...said } = page;
      const fields = { ...said, links: [...links], characters: page.text.length };
      await this.pages.create({ workspaceId, agentId, trainingId, place: at.place, ...fields });
    });
  }

  /** Begins again at another address: nothing that was tried so far counts. @throws TrainingSupersededError */
  async restart(held: LeasedTraining, url: string): Promise<void> {
    const { _id: trainingId, workspaceId } = held;
    await this.transactions.run(async () => {
      await this.#write(held, { url, isSchemeGuessed: false, read: 0, skipped: 0, found: 0 });
      await this.pages.deleteMany({ workspaceId, trainingId });
    });
  }

  /** No page comes any more. @throws TrainingSupersededError */
  async endReading(held: LeasedTraining): Promise<void> {
    await this.#write(held, { isRead: true, attempts: 0 });
  }

  /** A part of the pages is in the profile. Call it in the transaction in which its text is recorded. @throws TrainingSupersededError */
  async savePart(held: LeasedTraining, profile: CompanyProfile, partsWritten: number): Promise<void> {
    await this.#write(held, { profile, partsWritten, attempts: 0 });
  }

  /** From now on the agent writes by this training; the one before is forgotten. @throws TrainingSupersededError */
  async complete(training: AgentTrainingRecord, { profile, profileReason }: TrainingOutcome): Promise<void> {
    const { _id, workspaceId, agentId } = training;
    await this.transactions.run(async () => {
      await this.#retire(workspaceId, agentId);
      await this.#write(training, { ...this.#ended('completed'), isCurrent: true, profile, profileReason });
      await this.pages.updateMany({ workspaceId, trainingId: _id }, { $set: { links: [] } });
      const { url, read } = await this.trainings.findOne({ _id, workspaceId }).lean<AgentTrainingRecord>().orFail();
      const [agent, trainingId] = [agentId.toHexString(), _id.toHexString()];
      await this.events.record(systemScope(workspaceId.toHexString()), {
        type: 'agent.trained',
        dedupeKey: `agent.trained:${trainingId}`,
        about: {},
        data: { agentId: agent, trainingId, url, pages: read, hasProfile: profile !== null },
      });
    });
  }

  /** It cannot go on. What the agent has learnt before stays. @throws TrainingSupersededError */
  async fail(held: LeasedTraining, error: TrainingProblem): Promise<void> {
    const expiresAt = this.clock.in(RETENTION_MS);
    await this.transactions.run(async () => {
      await this.#write(held, { ...this.#ended('failed'), error, expiresAt });
      const { _id: trainingId, workspaceId } = held;
      await this.pages.updateMany({ workspaceId, trainingId }, { $set: { links: [], expiresAt } });
    });
  }

  /** Ends what is under way for an agent. Joins the running transaction. */
  async cancel(workspaceId: string, agentId: Types.ObjectId): Promise<void> {
    const expiresAt = this.clock.in(RETENTION_MS);
    const open = await this.trainings.findOne({ workspaceId, agentId, open: true }, { _id: 1 }).lean();
    if (!open) return;
    await this.trainings.updateOne(
      { _id: open._id, workspaceId },
      { $set: { ...this.#ended('cancelled'), expiresAt } },
    );
    await this.pages.updateMany({ workspaceId, trainingId: open._id }, { $set: { links: [], expiresAt } });
  }

  async findOpen(workspaceId: string, _id: Types.ObjectId | null): Promise<AgentTrainingRecord | null> {
    return _id && this.trainings.findOne({ _id, workspaceId, open: true }).lean<AgentTrainingRecord>();
  }

  async findOpenOfAgent(workspaceId: string, agentId: Types.ObjectId): Promise<AgentTrainingRecord | null> {
    return this.trainings.findOne({ workspaceId, agentId, open: true }).lean<AgentTrainingRecord>();
  }

  /** The one of a workspace that has waited for longest. */
  async findOldestOpen(workspaceId: string): Promise<OpenTraining | null> {
    return this.trainings
      .findOne({ workspaceId, open: true }, { workspaceId: 1, createdAt: 1 })
      .sort({ createdAt: 1 })
      .lean<OpenTraining>();
  }

  /** The same of each workspace: however many one has, it takes one place. */
  async listOldestOpen(): Promise<OpenTraining[]> {
    return this.trainings
      .aggregate<OpenTraining>([
        { $match: { open: true } },
        { $sort: { createdAt: 1 } },
        { $group: { _id: '$workspaceId', first: { $first: '$_id' }, createdAt: { $first: '$createdAt' } } },
        { $sort: { createdAt: 1 } },
        { $limit: MAX_SWEPT_WORKSPACES },
        { $project: { _id: '$first', workspaceId: '$_id', createdAt: 1 } },
      ])
      .option({ allWorkspaces: 'the worker carries out the trainings of all workspaces' });
  }

  /** @param about what is to be answered: passages that share most with it come first, about 4000 characters in all */
  async findKnowledge(
    workspaceId: string | Types.ObjectId,
    agentId: string | Types.ObjectId,
    about: string,
  ): Promise<Knowledge> {
    const current = await this.trainings
      .findOne({ workspaceId, agentId, isCurrent: true }, { profile: 1 })
      .lean<Pick<AgentTrainingRecord, '_id' | 'profile'>>();
    if (!current) return { profile: null, excerpts: [] };
    const pages = await this.pages
      .find({ workspaceId, trainingId: current._id, status: 'read' }, { url: 1, title: 1, text: 1 })
      .sort({ place: 1 })
      .lean<Excerpt[]>();
    return { profile: current.profile, excerpts: selectExcerpts(about, pages, MAX_EXCERPTS) };
  }

  async #retire(workspaceId: Types.ObjectId, agentId: Types.ObjectId): Promise<void> {
    const current = { workspaceId, agentId, isCurrent: true };
    const before = await this.trainings.findOne(current, { _id: 1 }).lean();
    if (!before) return;
    const $set = { isCurrent: false, profile: null, expiresAt: this.clock.in(RETENTION_MS) };
    await this.trainings.updateOne({ _id: before._id, workspaceId }, { $set });
    await this.pages.deleteMany({ workspaceId, trainingId: before._id });
  }

  #ended(status: 'completed' | 'failed' | 'cancelled'): Changes {
    return { status, open: false, completedAt: this.clock.now() };
  }

  async #write(
    { _id, workspaceId, fence }: LeasedTraining,
    $set: Changes,
    $inc?: Record<string, number>,
  ): Promise<void> {
    const { matchedCount } = await this.trainings.updateOne(
      { _id, workspaceId, open: true, fence },
      { $set, ...($inc && { $inc }) },
    );
    if (matchedCount !== 1) throw new TrainingSupersededError('The training is over, or somebody else goes on with it');
  }
}
