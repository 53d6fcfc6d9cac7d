import { type WorkspaceScope } from '@domain/access';
import { MailboxRepository, type MailboxHooks, MAILBOX_HOOKS, findSendingObstacle } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { Listens } from '@platform/hooks';
import { Types } from 'mongoose';
import { type MailboxRef, WarmupMailRepository } from './warmup-mail.repository';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Withholds warmup mail before a pause, disconnection or deletion of a mailbox is acknowledged. */
@Injectable()
@Listens(MAILBOX_HOOKS)
export class WarmupWithholdingListener implements MailboxHooks {
  constructor(
    private readonly mailboxes: MailboxRepository,
    private readonly mails: WarmupMailRepository,
  ) {}

  async changed(workspace: Workspace, mailboxId: string): Promise<void> {
    const of = toMailboxRef(workspace, mailboxId);
    const mailbox = await this.mailboxes.find(of.workspaceId, of.mailboxId);
    if (!mailbox || findSendingObstacle(mailbox)) await this.mails.withhold(of);
  }

  /** Joins the transaction of the deletion, which also deletes the mailbox lease and so conflicts with every claim. */
  async released(workspace: WorkspaceScope, mailboxId: string): Promise<void> {
    await this.mails.releaseAll(toMailboxRef(workspace, mailboxId));
  }
}

function toMailboxRef({ workspaceId }: Workspace, mailboxId: string): MailboxRef {
  return { workspaceId: new Types.ObjectId(workspaceId), mailboxId: new Types.ObjectId(mailboxId) };
}
