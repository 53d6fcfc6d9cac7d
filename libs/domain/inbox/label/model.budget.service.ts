import { type ModelUsage } from '@adapters/llm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { Config } from '@platform/config';
import { isDuplicateKey } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { ModelDayRecord } from '../schemas/model-day.record';

/** What each workspace may ask of the language model in a day (UTC). */
@Injectable()
export class ModelBudget {
  constructor(
    @InjectModel(ModelDayRecord.name) private readonly days: Model<ModelDayRecord>,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes one question out of today's budget, before it is asked: whoever dies over it has had it. False when nothing is left.
   * @param share of the budget that is there for such questions, 0 to 1: beyond it the rest is for others'
   */
  async take(workspaceId: Types.ObjectId, share = 1): Promise<boolean> {
    const most = Math.floor(this.config.llmDailyBudget * share);
    if (most === 0) return false;
    const taken = (upsert: boolean) =>
      this.days.updateOne(
        { workspaceId, day: this.#today(), questions: { $lt: most } },
        { $inc: { questions: 1 }, $setOnInsert: { inputTokens: 0, outputTokens: 0 } },
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

  /** Writes down what an answer cost. */
  async spend(workspaceId: Types.ObjectId, { inputTokens, outputTokens }: ModelUsage): Promise<void> {
    await this.days.updateOne({ workspaceId, day: this.#today() }, { $inc: { inputTokens, outputTokens } });
  }

  #today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }
}
