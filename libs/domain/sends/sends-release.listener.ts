import { type WorkspaceScope } from '@domain/access';
import { type MailboxHooks, MailboxHookRegistry, type UsingCampaign } from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { MailboxLeaseRecord } from './schemas/mailbox-lease.record';
import { SendRecord } from './schemas/send.record';
import { toFields } from './send-outcome';

/** When it is first looked for what a deleted mailbox was giving to its server. */
const LOOK_AFTER_MS = 10 * 60_000;

/** What becomes of a mailbox's turns and of what is on its way when the mailbox is deleted. */
@Injectable()
export class SendsReleaseListener implements MailboxHooks, OnModuleInit {
  constructor(
    @InjectModel(MailboxLeaseRecord.name) private readonly turns: Model<MailboxLeaseRecord>,
    @InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>,
    private readonly uses: MailboxHookRegistry,
    private readonly clock: ClockPort,
  ) {}

  onModuleInit(): void {
    this.uses.register(this);
  }

  activeCampaigns(): Promise<readonly UsingCampaign[]> {
    return Promise.resolve([]);
  }

  /**
   * No turn comes any more. What was claimed is withheld; what the server was being given right now stays to be looked
   * for, since nobody will report it. Each claim writes the mailbox's turn, so that one that this transaction does not
   * see makes it run again.
   */
  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    const reason = 'The mailbox was deleted';
    await this.turns.deleteOne({ _id: mailboxId, workspaceId });
    await this.sends.updateMany(
      { workspaceId, mailboxId, state: 'claimed' },
      { $set: toFields('claimed', { state: 'withheld', reason }) },
    );
    await this.sends.updateMany(
      { workspaceId, mailboxId, state: 'wire' },
      { $set: toFields('wire', { state: 'ambiguous', reason, lookAt: this.clock.in(LOOK_AFTER_MS) }) },
    );
  }
}
