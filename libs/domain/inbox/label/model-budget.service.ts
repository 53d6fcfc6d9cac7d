import { type ModelUsage } from '@adapters/llm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { isDuplicateKey } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { ModelDayRecord } from '../schemas/model-day.record';

/** Tokens that are held back for a question on its way. */
export interface ReservedTokens {
  /** Whose budget they are out of: YYYY-MM-DD (UTC). */
  readonly day: string;
  readonly tokens: number;
}

/** What each workspace may ask of the language model in a day (UTC). */
@Injectable()
export class ModelBudgetService {
  constructor(
    @InjectModel(ModelDayRecord.name) private readonly days: Model<ModelDayRecord>,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Takes one question out of today's budget, before it is asked: whoever dies over it has had it. False when nothing is left,
   * of questions or of tokens.
   * @param share of the questions that is there for such ones, 0 to 1: beyond it the rest is for others'
   */
  async reserveQuestion(workspaceId: Types.ObjectId, share = 1): Promise<boolean> {
    return this.#take(workspaceId, this.#today(), share, 0);
  }

  /**
   * The same for a question that may cost so many tokens: they are held back until `spend` puts what it did cost in their
   * place. Null when nothing is left.
   */
  async reserve(workspaceId: Types.ObjectId, tokens: number): Promise<ReservedTokens | null> {
    const day = this.#today();
    return (await this.#take(workspaceId, day, 1, tokens)) ? { day, tokens } : null;
  }

  /** Writes down what an answer cost, on the day on which tokens were held back for it. */
  async spend(workspaceId: Types.ObjectId, usage: ModelUsage, reserved?: ReservedTokens): Promise<void> {
    const { inputTokens, outputTokens } = usage;
    const { day, tokens: held } = reserved ?? { day: this.#today(), tokens: 0 };
    const tokens = inputTokens + outputTokens - held;
    await this.days.updateOne({ workspaceId, day }, { $inc: { inputTokens, outputTokens, tokens } });
  }

  async #take(workspaceId: Types.ObjectId, day: string, share: number, tokens: number): Promise<boolean> {
    const { llmDailyBudget, llmDailyTokens } = this.config;
    const most = Math.floor(llmDailyBudget * share);
    const isLimited = llmDailyTokens > 0;
    if (most === 0 || (isLimited && tokens > llmDailyTokens)) return false;
    // Negated: a day that was begun before tokens were counted has none.
    const room = isLimited ? { tokens: { $not: { $gt: llmDailyTokens - Math.max(tokens, 1) } } } : {};
    const taken = (upsert: boolean) =>
      this.days.updateOne(
        { workspaceId, day, questions: { $lt: most }, ...room },
        { $inc: { questions: 1, tokens }, $setOnInsert: { inputTokens: 0, outputTokens: 0 } },
        { upsert },
      );
    try {
      const { matchedCount, upsertedCount } = await taken(true);
      return matchedCount + upsertedCount === 1;
    } catch (error) {
      // Either the day is used up, or somebody else has just begun it.
      if (!isDuplicateKey(error)) throw error;
      return (await taken(false)).matchedCount === 1;
    }
  }

  #today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }
}
