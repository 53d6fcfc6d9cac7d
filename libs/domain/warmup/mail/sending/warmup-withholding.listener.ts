import { type WorkspaceScope } from '@domain/access';
import { MailboxRepository, type MailboxHooks, MailboxHookRegistry, findSendingObstacle } from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Types } from 'mongoose';
import { type MailboxRef, WarmupMailRepository } from './warmup-mail.repository';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Warmup stops sending before it is acknowledged that a mailbox was paused, disconnected, switched off or deleted. */
@Injectable()
export class WarmupWithholdingListener implements Partial<MailboxHooks>, OnModuleInit {
  constructor(
    private readonly uses: MailboxHookRegistry,
    private readonly mailboxes: MailboxRepository,
    private readonly outbox: WarmupMailRepository,
  ) {}

  onModuleInit(): void {
    this.uses.register(this);
  }

  async changed(workspace: Workspace, mailboxId: string): Promise<void> {
    const of = refOf(workspace, mailboxId);
    const mailbox = await this.mailboxes.find(of.workspaceId, of.mailboxId);
    if (!mailbox || findSendingObstacle(mailbox)) await this.outbox.withhold(of);
  }

  /** In the transaction of the deletion, which takes the mailbox's turns with it: of it and a claim one is run again. */
  async released(workspace: WorkspaceScope, mailboxId: string): Promise<void> {
    await this.outbox.releaseAll(refOf(workspace, mailboxId));
  }
}

function refOf({ workspaceId }: Workspace, mailboxId: string): MailboxRef {
  return { workspaceId: new Types.ObjectId(workspaceId), mailboxId: new Types.ObjectId(mailboxId) };
}
