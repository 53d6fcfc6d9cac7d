import { SiteCrawler } from '@adapters/web';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { AppError, toFailure } from '@platform/errors';
import { type Model } from 'mongoose';
import { CompanyProfileService } from './profile/company-profile.service';
import { AgentPageRecord } from './schemas/agent-page.record';
import { AgentTrainingRecord } from './schemas/agent-training.record';
import { SITE_UNREADABLE, TRAINING_STUCK } from './training.errors';
import { AgentTrainingRepository } from './agent-training.repository';

/** Times that a training is taken up without getting on. */
const MOST_ATTEMPTS = 5;
const STUCK = {
  code: TRAINING_STUCK.code,
  message: `The training was taken up ${MOST_ATTEMPTS} times without getting on`,
};
/** Why a site may be there without encryption. */
const MAYBE_PLAIN: ReadonlySet<string> = new Set(['unreachable', 'timeout']);

/** Reads a website for an agent, and has a profile written from it. */
@Injectable()
export class TrainingWorkService {
  constructor(
    @InjectModel(AgentPageRecord.name) private readonly pages: Model<AgentPageRecord>,
    @InjectModel(AgentTrainingRecord.name) private readonly trainings: Model<AgentTrainingRecord>,
    private readonly states: AgentTrainingRepository,
    private readonly crawler: SiteCrawler,
    private readonly profiles: CompanyProfileService,
  ) {}

  /** @throws TrainingMoved, the signal's reason, and failures of the moment: the sweep tries again */
  async carryOut(training: AgentTrainingRecord, signal: AbortSignal): Promise<void> {
    if (training.attempts > MOST_ATTEMPTS) return this.states.fail(training, STUCK);
    if (!training.isRead) {
      if ((await this.#read(training, signal)) === 0) return this.#failUnread(training);
      await this.states.endReading(training);
    }
    try {
      await this.states.complete(training, await this.profiles.write(training, signal));
    } catch (error) {
      const isLast = training.attempts >= MOST_ATTEMPTS;
      if (!(error instanceof AppError) || (toFailure(error) === 'temporary' && !isLast)) throw error;
      await this.#endWithout(training, error);
    }
  }

  /** The model does not answer. What the agent had learnt before, with a profile, is better than pages without one. */
  async #endWithout(training: AgentTrainingRecord, { code, message }: AppError): Promise<void> {
    const { workspaceId, agentId } = training;
    const hasBetter = await this.trainings.exists({ workspaceId, agentId, isCurrent: true, profile: { $ne: null } });
    if (hasBetter) await this.states.fail(training, { code, message });
    else await this.states.complete(training, { profile: null, profileReason: code });
  }

  /** @returns pages of which there is text */
  async #read(training: AgentTrainingRecord, signal: AbortSignal): Promise<number> {
    await this.#crawl(training, training.url, signal);
    const reason = training.isSchemeGuessed ? (await this.#first(training))?.reason : null;
    if (!MAYBE_PLAIN.has(reason ?? '')) return this.#countRead(training);
    const plain = training.url.replace(/^https:/, 'http:');
    await this.states.restart(training, plain);
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
        await this.states.keepPage(training, page, { place, found, spentMs: Math.round(now - since) });
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
    await this.states.fail(training, { code: SITE_UNREADABLE.code, message });
  }
}
