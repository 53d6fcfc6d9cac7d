import { SiteCrawler, getSite } from '@adapters/web';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Lease, LeaseService, TransactionService, parseId } from '@platform/database';
import { AppError, toFailure } from '@platform/errors';
import { type Sweep } from '@platform/queues';
import { type Model } from 'mongoose';
import { AgentRepository } from '../agent.repository';
import { AgentModelService } from '../model/agent-model.service';
import { type Checked } from '../model/model-question';
import { findWastedCost } from '../model/wasted-cost';
import { AgentTextsService, type WrittenText, toUnusedText } from '../texts/agent-texts.service';
import { AgentTrainingQueue, type RunAgentTraining } from './agent-training.queue';
import { AgentTrainingRepository, type TrainingOutcome } from './agent-training.repository';
import { type CompanyProfile, parseProfile } from './profile/company-profile';
import { type ProfilePage, createProfileQuestion, splitIntoParts } from './profile/profile-question';
import { AgentPageRecord } from './schemas/agent-page.record';
import { AgentTrainingRecord } from './schemas/agent-training.record';
import { SITE_UNREADABLE, TRAINING_STUCK, TrainingSupersededError } from './training.errors';

/** Duration of a lease in milliseconds; it is renewed several times meanwhile. After it, another worker continues. */
const LEASE_MS = 60_000;

const RENEW_EVERY_MS = 15_000;

/** Maximum number of runs without progress. */
const MAX_ATTEMPTS = 5;

const STUCK = {
  code: TRAINING_STUCK.code,
  message: `The training made no progress in ${MAX_ATTEMPTS} attempts`,
};

/** Failures after which the site is tried without encryption. */
const MAYBE_PLAIN: ReadonlySet<string> = new Set(['unreachable', 'timeout']);

/**
 * Runs trainings: reads the website, and writes the company profile with the language model, part by part. One at a time
 * for each workspace, so that none delays other workspaces, and one at a time for each website.
 */
@Injectable()
export class AgentTrainingJobService implements Sweep {
  readonly name = 'agent-training';

  constructor(
    @InjectModel(AgentPageRecord.name) private readonly pages: Model<AgentPageRecord>,
    @InjectModel(AgentTrainingRecord.name) private readonly trainings: Model<AgentTrainingRecord>,
    private readonly repository: AgentTrainingRepository,
    private readonly queue: AgentTrainingQueue,
    private readonly leases: LeaseService,
    private readonly workspaces: WorkspaceRepository,
    private readonly crawler: SiteCrawler,
    private readonly agents: AgentRepository,
    private readonly model: AgentModelService,
    private readonly texts: AgentTextsService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Continues a training to its end. Without effect for an ended training, and while the workspace or the website has a
   * running one: the sweep retries.
   * @param signal stops it at once; read pages are kept
   */
  async run({ workspaceId, trainingId }: RunAgentTraining, signal: AbortSignal): Promise<void> {
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return;
    const training = await this.repository.findOpen(workspaceId, parseId(trainingId));
    if (!training) return;
    await this.#under(`agent-training-${workspaceId}`, signal, async (lease, stop) => {
      if (training.isRead) return this.#runTraining(training, lease, stop);
      const { host } = getSite(training.url);
      return this.#under(`website-${host}`, stop, (_site, either) => this.#runTraining(training, lease, either));
    });
  }

  /** Enqueues the oldest training of each workspace, in case Redis has lost its job. */
  async sweep(): Promise<number> {
    const open = await this.repository.listOldestOpen();
    const alive = await this.workspaces.filterAlive(open.map(({ workspaceId }) => workspaceId.toHexString()));
    return this.queue.planMissing(open.filter(({ workspaceId }) => alive.has(workspaceId.toHexString())));
  }

  /** @throws TrainingSupersededError, the signal's reason, and temporary failures: the sweep retries */
  async #execute(training: AgentTrainingRecord, signal: AbortSignal): Promise<void> {
    if (training.attempts > MAX_ATTEMPTS) return this.repository.fail(training, STUCK);
    if (!training.isRead) {
      if ((await this.#read(training, signal)) === 0) return this.#failUnread(training);
      await this.repository.endReading(training);
    }
    try {
      await this.repository.complete(training, await this.#writeProfile(training, signal));
    } catch (error) {
      const isLast = training.attempts >= MAX_ATTEMPTS;
      if (!(error instanceof AppError) || (toFailure(error) === 'temporary' && !isLast)) throw error;
      await this.#endWithout(training, error);
    }
  }

  async #runTraining({ _id, workspaceId }: AgentTrainingRecord, lease: Lease, signal: AbortSignal): Promise<void> {
    const workspace = workspaceId.toHexString();
    try {
      const training = await this.repository.acquire(workspace, _id, lease);
      if (training) await this.#execute(training, signal);
    } catch (error) {
      if (!(error instanceof TrainingSupersededError)) throw error;
    }
    const next = await this.repository.findOldestOpen(workspace);
    if (next && !next._id.equals(_id)) await this.queue.plan([next]);
  }

  /**
   * Runs `work` under a lease. Without effect while another worker holds it; aborts the work when the lease is lost.
   */
  async #under(
    name: string,
    signal: AbortSignal,
    work: (lease: Lease, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const lease = await this.leases.acquire(name, LEASE_MS);
    if (!lease) return;
    const loss = new AbortController();
    const renewal = setInterval(() => void this.#renew(lease, loss), RENEW_EVERY_MS);
    try {
      await work(lease, AbortSignal.any([signal, loss.signal]));
    } finally {
      clearInterval(renewal);
      await this.leases.release(lease);
    }
  }

  async #renew(lease: Lease, loss: AbortController): Promise<void> {
    // A database error is retried at the next renewal; the fence refuses late writes.
    const isMine = await this.leases.renew(lease, LEASE_MS).catch(() => true);
    if (!isMine) loss.abort(new TrainingSupersededError('The lease was lost'));
  }

  /** Ends a training without a profile. Earlier knowledge with a profile is better than pages without one. */
  async #endWithout(training: AgentTrainingRecord, { code, message }: AppError): Promise<void> {
    const { workspaceId, agentId } = training;
    const hasBetter = await this.trainings.exists({ workspaceId, agentId, isCurrent: true, profile: { $ne: null } });
    if (hasBetter) await this.repository.fail(training, { code, message });
    else await this.repository.complete(training, { profile: null, profileReason: code });
  }

  /** @returns number of pages with text */
  async #read(training: AgentTrainingRecord, signal: AbortSignal): Promise<number> {
    await this.#crawl(training, training.url, signal);
    const reason = training.isSchemeGuessed ? (await this.#first(training))?.reason : null;
    if (!MAYBE_PLAIN.has(reason ?? '')) return this.#countRead(training);
    const plain = training.url.replace(/^https:/, 'http:');
    await this.repository.restart(training, plain);
    await this.#crawl(training, plain, signal);
    return this.#countRead(training);
  }

  async #crawl(training: AgentTrainingRecord, start: string, signal: AbortSignal): Promise<void> {
    const { _id: trainingId, workspaceId } = training;
    const known = await this.pages
      .find({ workspaceId, trainingId }, { text: 0 })
      .sort({ place: 1 })
      .lean<AgentPageRecord[]>();
    let place = known.length;
    let since = performance.now();
    await this.crawler.crawl({
      start,
      known,
      spentMs: training.spentMs,
      signal,
      onPage: async (page, found) => {
        const now = performance.now();
        await this.repository.savePage(training, page, { place, found, spentMs: Math.round(now - since) });
        place += 1;
        since = now;
      },
    });
  }

  async #countRead({ _id: trainingId, workspaceId }: AgentTrainingRecord): Promise<number> {
    return this.pages.countDocuments({ workspaceId, trainingId, status: 'read' });
  }

  async #first({ _id: trainingId, workspaceId }: AgentTrainingRecord): Promise<AgentPageRecord | null> {
    return this.pages
      .findOne({ workspaceId, trainingId }, { status: 1, reason: 1 })
      .sort({ place: 1 })
      .lean<AgentPageRecord>();
  }

  async #failUnread(training: AgentTrainingRecord): Promise<void> {
    const first = await this.#first(training);
    const message = `No page of the website could be read (${first?.reason ?? 'no page was found'})`;
    await this.repository.fail(training, { code: SITE_UNREADABLE.code, message });
  }

  /**
   * Continues after the parts that the profile contains already, so that no part is paid for twice.
   * @throws the errors of `AgentModelService.ask`, TrainingSupersededError
   */
  async #writeProfile(training: AgentTrainingRecord, signal: AbortSignal): Promise<TrainingOutcome> {
    if (!this.model.isConfigured) return { profile: null, profileReason: 'LLM_NOT_CONFIGURED' };
    const parts = splitIntoParts(await this.#listReadPages(training));
    let { profile } = training;
    for (const [at, part] of parts.entries()) {
      if (at >= training.partsWritten) profile = await this.#writePart(training, part, { at, known: profile }, signal);
    }
    return { profile, profileReason: null };
  }

  async #writePart(
    training: AgentTrainingRecord,
    part: readonly ProfilePage[],
    { at, known }: { at: number; known: CompanyProfile | null },
    signal: AbortSignal,
  ): Promise<CompanyProfile> {
    const { workspaceId, agentId, url } = training;
    const question = { ...createProfileQuestion(part, known), signal };
    const about = { workspaceId, agentId, purpose: 'profile', conversationId: null } as const;
    const answer = await this.model
      .ask(workspaceId, question, (json) => checkProfile(json, url))
      .catch(async (error: unknown) => {
        const spent = findWastedCost(error);
        if (spent) await this.#keepUnused(toUnusedText(spent, about));
        throw error;
      });
    const { value: profile, ...said } = answer;
    await this.transactions.run(async () => {
      await this.repository.savePart(training, profile, at + 1);
      await this.texts.record({ ...about, ...said, subject: null, text: JSON.stringify(profile) });
    });
    return profile;
  }

  /** Not for an agent that was deleted meanwhile: the record would never be erased. */
  async #keepUnused(text: WrittenText): Promise<void> {
    await this.transactions.run(async () => {
      if (await this.agents.claim(text.workspaceId, text.agentId)) await this.texts.record(text);
    });
  }

  async #listReadPages({ _id: trainingId, workspaceId }: AgentTrainingRecord): Promise<ProfilePage[]> {
    return this.pages
      .find({ workspaceId, trainingId, status: 'read' }, { url: 1, title: 1, description: 1, text: 1 })
      .sort({ place: 1 })
      .lean<ProfilePage[]>();
  }
}

function checkProfile(json: unknown, siteUrl: string): Checked<CompanyProfile> {
  const value = parseProfile(json, siteUrl);
  return value ? { value } : { fault: 'says nothing about the company' };
}
