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

/** Retention of a training that is no longer used, with its pages (milliseconds). */
const RETENTION_MS = 30 * 86_400_000;

/** A training under a lease. */
export type LeasedTraining = Pick<AgentTrainingRecord, '_id' | 'workspaceId' | 'agentId' | 'fence'>;

/** The result of a training; `profileReason` says why there is no profile. */
export interface TrainingOutcome {
  readonly profile: CompanyProfile | null;
  readonly profileReason: string | null;
}

type Changes = Partial<Omit<AgentTrainingRecord, '_id'>>;

/** Maximum number of workspaces per sweep, the longest waiting first. */
const MAX_SWEPT_WORKSPACES = 1_000;

/** Maximum number of excerpts in a prompt. */
const MAX_EXCERPTS = 6;

export interface Knowledge {
  /** null without a completed training, or without a profile. */
  readonly profile: CompanyProfile | null;
  /** Texts of a website: content for a model, never instructions. */
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

  /** Leases a training for a worker; null when it has ended or was deleted. */
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

  /** Stores a page at once, so that it is not read again after a crash. @throws TrainingSupersededError */
  async savePage(
    leased: LeasedTraining,
    page: CrawledPage,
    at: { place: number; found: number; spentMs: number },
  ): Promise<void> {
    const { _id: trainingId, workspaceId, agentId } = leased;
    const isRead = page.status === 'read';
    const $inc = { spentMs: at.spentMs, read: isRead ? 1 : 0, skipped: isRead ? 0 : 1 };
    await this.transactions.run(async () => {
      // The deletion of the agent writes this record, too, so that no page follows it.
      await this.#write(leased, { found: at.found, attempts: 0 }, $inc);
      const { links, ...said } = page;
      const fields = { ...said, links: [...links], characters: page.text.length };
      await this.pages.create({ workspaceId, agentId, trainingId, place: at.place, ...fields });
    });
  }

  /** Restarts the training at another address, without the pages so far. @throws TrainingSupersededError */
  async restart(leased: LeasedTraining, url: string): Promise<void> {
    const { _id: trainingId, workspaceId } = leased;
    await this.transactions.run(async () => {
      await this.#write(leased, { url, isSchemeGuessed: false, read: 0, skipped: 0, found: 0 });
      await this.pages.deleteMany({ workspaceId, trainingId });
    });
  }

  /** Marks the pages as complete. @throws TrainingSupersededError */
  async endReading(leased: LeasedTraining): Promise<void> {
    await this.#write(leased, { isRead: true, attempts: 0 });
  }

  /**
   * Stores the profile after a further part of the pages, in the transaction that records its text. @throws
   * TrainingSupersededError
   */
  async savePart(leased: LeasedTraining, profile: CompanyProfile, partsWritten: number): Promise<void> {
    await this.#write(leased, { profile, partsWritten, attempts: 0 });
  }

  /** Makes the training the current one of the agent, and retires the previous one. @throws TrainingSupersededError */
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

  /** Fails the training; the agent keeps its earlier knowledge. @throws TrainingSupersededError */
  async fail(leased: LeasedTraining, error: TrainingProblem): Promise<void> {
    const expiresAt = this.clock.in(RETENTION_MS);
    await this.transactions.run(async () => {
      await this.#write(leased, { ...this.#ended('failed'), error, expiresAt });
      const { _id: trainingId, workspaceId } = leased;
      await this.pages.updateMany({ workspaceId, trainingId }, { $set: { links: [], expiresAt } });
    });
  }

  /** Cancels the open training of an agent. Joins the running transaction. */
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

  /** The open training of a workspace that has waited longest. */
  async findOldestOpen(workspaceId: string): Promise<OpenTraining | null> {
    return this.trainings
      .findOne({ workspaceId, open: true }, { workspaceId: 1, createdAt: 1 })
      .sort({ createdAt: 1 })
      .lean<OpenTraining>();
  }

  /** The open training of each workspace that has waited longest. */
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
      .option({ allWorkspaces: 'the worker runs the trainings of all workspaces' });
  }

  /**
   * The profile and the excerpts of an agent for a text. @param about the text to answer: the most similar passages
   * come first, some 4000 characters in all
   */
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
    if (matchedCount !== 1) throw new TrainingSupersededError('The training has ended, or another worker continues it');
  }
}
