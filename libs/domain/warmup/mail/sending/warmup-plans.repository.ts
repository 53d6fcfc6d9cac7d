import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';

type Mailbox = { readonly _id: Types.ObjectId; readonly workspaceId: Types.ObjectId };

/** What mailboxes have planned to send. */
@Injectable()
export class WarmupPlansRepository {
  constructor(
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
  ) {}

  /**
   * Takes back the threads that are yet to be begun, as if they had never been planned; joins the running transaction. What a
   * worker has in hand is not theirs any more: it is withheld (`WarmupMailRepository`), or sent.
   * @param withAnswers also what was planned in answer to others
   */
  async cancelPlanned({ _id: mailboxId, workspaceId }: Mailbox, { withAnswers }: { withAnswers: boolean }): Promise<void> {
    const planned = { workspaceId, mailboxId, state: 'planned' } as const;
    const openings = await this.mails
      .find({ ...planned, position: 0 }, { threadId: 1 })
      .lean<Pick<WarmupMailRecord, 'threadId'>[]>();
    await this.mails.deleteMany(withAnswers ? planned : { ...planned, position: 0 });
    const _id = { $in: openings.map(({ threadId }) => threadId) };
    if (openings.length > 0) await this.threads.deleteMany({ workspaceId, _id });
  }
}
