import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { WARMUP_FIGURES, WarmupDayRecord, type WarmupFigures } from '../schemas/warmup-day.record';

interface MailboxDay {
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
  /** YYYY-MM-DD in the zone of its warmup. */
  readonly day: string;
}

/** What happens in warmups, counted day by day. */
@Injectable()
export class WarmupCountsRepository {
  constructor(@InjectModel(WarmupDayRecord.name) private readonly days: Model<WarmupDayRecord>) {}

  /** Adds to the figures of a day; joins the running transaction. */
  async count({ workspaceId, mailboxId, day }: MailboxDay, figures: Partial<WarmupFigures>): Promise<void> {
    await rerunOnWriteConflict(() =>
      this.days.updateOne({ workspaceId, mailboxId, day }, { $inc: figures }, { upsert: true }),
    );
  }

  /** The figures of a day; all of them 0 when nothing has happened on it. */
  async getFigures({ workspaceId, mailboxId, day }: MailboxDay): Promise<WarmupFigures> {
    const stored = await this.days.findOne({ workspaceId, mailboxId, day }).lean<Partial<WarmupFigures>>();
    const figures = WARMUP_FIGURES.map((figure) => [figure, stored?.[figure] ?? 0] as const);
    return Object.fromEntries(figures) as WarmupFigures;
  }
}
