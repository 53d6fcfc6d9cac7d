import { MailboxRepository, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { isWarming } from '../../config/warmup-status';
import { WarmupRecord } from '../../schemas/warmup.record';
import { type MailboxRef } from './warmup-mail.repository';

/** Mailboxes that take part in warmup, at either end of a mail. */
@Injectable()
export class WarmupMembersService {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly warmups: Model<WarmupRecord>,
    private readonly mailboxes: MailboxRepository,
  ) {}

  /** Whether the warmup of a mailbox sends. */
  async isSending({ workspaceId, mailboxId }: MailboxRef): Promise<boolean> {
    const warmup = await this.warmups
      .findOne({ _id: mailboxId, workspaceId }, { status: 1 })
      .lean<Pick<WarmupRecord, 'status'>>();
    return warmup !== null && isWarming(warmup.status);
  }

  /** The mailbox, if mail of warmup is received there: it takes part, and it is connected. null otherwise. */
  async findReceiver(mailbox: MailboxRef): Promise<MailboxRecord | null> {
    const [found, takesPart] = await Promise.all([
      this.mailboxes.find(mailbox.workspaceId, mailbox.mailboxId),
      this.isSending(mailbox),
    ]);
    return takesPart && found?.status !== 'disconnected' ? found : null;
  }
}
