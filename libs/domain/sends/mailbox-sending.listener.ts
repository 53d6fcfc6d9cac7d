import { type WorkspaceScope } from '@domain/access';
import {
  MailboxRepository,
  type MailboxHooks,
  MailboxHookRegistry,
  findSendingObstacle,
  type SendingStopped,
} from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Types } from 'mongoose';
import { SendWithholdingRepository } from './send-withholding.repository';
import { MailboxLeaseService } from './mailbox-lease.service';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Sending follows what happens to a mailbox: it stops before a pause is acknowledged, and goes on when it can again. */
@Injectable()
export class MailboxSendingListener implements Partial<MailboxHooks>, OnModuleInit {
  constructor(
    private readonly uses: MailboxHookRegistry,
    private readonly mailboxes: MailboxRepository,
    private readonly withholding: SendWithholdingRepository,
    private readonly turns: MailboxLeaseService,
  ) {}

  onModuleInit(): void {
    this.uses.register(this);
  }

  /** Whatever the engine stopped the mailbox for is taken as looked at. */
  resumed({ workspaceId }: Workspace, mailboxId: string): Promise<boolean> {
    return this.turns.clearStop(workspaceId, mailboxId);
  }

  /** What is claimed is withheld from a mailbox that cannot send any more; one that can looks what there is to do. */
  async changed({ workspaceId }: Workspace, mailboxId: string): Promise<void> {
    const mailbox = await this.mailboxes.find(new Types.ObjectId(workspaceId), new Types.ObjectId(mailboxId));
    const obstacle = mailbox && findSendingObstacle(mailbox);
    if (!mailbox || obstacle) {
      const reason = `The mailbox ${obstacle?.message ?? 'is gone'}`;
      await this.withholding.withhold(workspaceId, { mailboxId }, reason);
      return;
    }
    // One that never had a turn works for no campaign: it is woken when one starts with it.
    const known = await this.turns.statesOf(workspaceId, [mailboxId]);
    if (known.size > 0) await this.turns.scheduleNow(workspaceId, [mailboxId]);
  }

  async stopped({ workspaceId }: Workspace, mailboxId: string): Promise<SendingStopped | null> {
    return (await this.turns.statesOf(workspaceId, [mailboxId])).get(mailboxId)?.stopped ?? null;
  }
}
