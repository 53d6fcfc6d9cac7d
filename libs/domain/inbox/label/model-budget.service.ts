import { type ModelUsage } from '@adapters/llm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { isDuplicateKey } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { ModelDayRecord } from '../schemas/model-day.record';

/** Tokens reserved for a question in progress. */
export interface ReservedTokens {
  /** The day whose budget they belong to: YYYY-MM-DD (UTC). */
  readonly day: string;
  readonly tokens: number;
}

/** The daily budget (UTC) of each workspace for the language model. */
@Injectable()
export class ModelBudgetService {
  constructor(
    @InjectModel(ModelDayRecord.name) private readonly days: Model<ModelDayRecord>,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Reserves one question of today's budget before it is asked; a crash does not return it. Returns false when no questions or
   * tokens remain.
   * @param share part of the questions that this purpose may use, 0 to 1
   */
  async reserveQuestion(workspaceId: Types.ObjectId, share = 1): Promise<boolean> {
    return this.#reserve(workspaceId, this.#today(), share, 0);
  }

  /**
   * Reserves one question and its possible tokens, until `spend` replaces them by the actual cost. Returns null when too few
   * remain.
   */
  async reserve(workspaceId: Types.ObjectId, tokens: number): Promise<ReservedTokens | null> {
    const day = this.#today();
    return (await this.#reserve(workspaceId, day, 1, tokens)) ? { day, tokens } : null;
  }

  /** Records the cost of an answer on the day of its reservation. */
  async spend(workspaceId: Types.ObjectId, usage: ModelUsage, reserved?: ReservedTokens): Promise<void> {
    const { inputTokens, outputTokens } = usage;
    const { day, tokens: reservedTokens } = reserved ?? { day: this.#today(), tokens: 0 };
    const tokens = inputTokens + outputTokens - reservedTokens;
    await this.days.updateOne({ workspaceId, day }, { $inc: { inputTokens, outputTokens, tokens } });
  }

  async #reserve(workspaceId: Types.ObjectId, day: string, share: number, tokens: number): Promise<boolean> {
    const { llmDailyBudget, llmDailyTokens } = this.config;
    const maxQuestions = Math.floor(llmDailyBudget * share);
    const isLimited = llmDailyTokens > 0;
    if (maxQuestions === 0 || (isLimited && tokens > llmDailyTokens)) return false;
    // Negated: records older than the token count have no such field.
    const capacity = isLimited ? { tokens: { $not: { $gt: llmDailyTokens - Math.max(tokens, 1) } } } : {};
    const reserve = (upsert: boolean) =>
      this.days.updateOne(
        { workspaceId, day, questions: { $lt: maxQuestions }, ...capacity },
        { $inc: { questions: 1, tokens }, $setOnInsert: { inputTokens: 0, outputTokens: 0 } },
        { upsert },
      );
    try {
      const { matchedCount, upsertedCount } = await reserve(true);
      return matchedCount + upsertedCount === 1;
    } catch (error) {
      // The budget is used up, or another process has just created the day.
      if (!isDuplicateKey(error)) throw error;
      return (await reserve(false)).matchedCount === 1;
    }
  }

  #today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }
}
