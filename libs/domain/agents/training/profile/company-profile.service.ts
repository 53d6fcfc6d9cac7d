import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { AgentRepository } from '../../agent.repository';
import { AgentModelService } from '../../model/agent-model.service';
import { type Checked } from '../../model/model-question';
import { findWastedCost } from '../../model/wasted-cost';
import { AgentTextsService, toUnusedText, type WrittenText } from '../../texts/agent-texts.service';
import { AgentTrainingRepository, type TrainingOutcome } from '../agent-training.repository';
import { AgentPageRecord } from '../schemas/agent-page.record';
import { type AgentTrainingRecord } from '../schemas/agent-training.record';
import { type CompanyProfile, parseProfile } from './company-profile';
import { createProfileQuestion, type ProfilePage, splitIntoParts } from './profile-question';

/** Writes the company profile of a website with the language model, part by part. */
@Injectable()
export class CompanyProfileService {
  constructor(
    @InjectModel(AgentPageRecord.name) private readonly pages: Model<AgentPageRecord>,
    private readonly agents: AgentRepository,
    private readonly model: AgentModelService,
    private readonly texts: AgentTextsService,
    private readonly repository: AgentTrainingRepository,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Continues after the parts that the profile contains already, so that no part is paid for twice.
   * @throws the errors of `AgentModelService.ask`, TrainingSupersededError
   */
  async write(training: AgentTrainingRecord, signal: AbortSignal): Promise<TrainingOutcome> {
    if (!this.model.isConfigured) return { profile: null, profileReason: 'LLM_NOT_CONFIGURED' };
    const parts = splitIntoParts(await this.#pages(training));
    let { profile } = training;
    for (const [at, part] of parts.entries()) {
      if (at >= training.partsWritten) profile = await this.#part(training, part, { at, known: profile }, signal);
    }
    return { profile, profileReason: null };
  }

  async #part(
    training: AgentTrainingRecord,
    part: readonly ProfilePage[],
    { at, known }: { at: number; known: CompanyProfile | null },
    signal: AbortSignal,
  ): Promise<CompanyProfile> {
    const { workspaceId, agentId, url } = training;
    const question = { ...createProfileQuestion(part, known), signal };
    const about = { workspaceId, agentId, purpose: 'profile', conversationId: null } as const;
    const word = await this.model
      .ask(workspaceId, question, (json) => checked(json, url))
      .catch(async (error: unknown) => {
        const spent = findWastedCost(error);
        if (spent) await this.#keepUnused(toUnusedText(spent, about));
        throw error;
      });
    const { value: profile, ...said } = word;
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

  async #pages({ _id: trainingId, workspaceId }: AgentTrainingRecord): Promise<ProfilePage[]> {
    return this.pages
      .find({ workspaceId, trainingId, status: 'read' }, { url: 1, title: 1, description: 1, text: 1 })
      .sort({ place: 1 })
      .lean<ProfilePage[]>();
  }
}

function checked(json: unknown, siteUrl: string): Checked<CompanyProfile> {
  const value = parseProfile(json, siteUrl);
  return value ? { value } : { fault: 'says nothing about the company' };
}
