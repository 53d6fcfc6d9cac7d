import { type WorkspaceScope } from '@domain/access';
import { type MailboxHooks, MAILBOX_HOOKS } from '@domain/mailboxes';
import { SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { Listens } from '@platform/hooks';
import { SendClaimService } from './send-claim.service';

/** Releases the claimed leads of a deleted mailbox, because no further run of the mailbox does so. */
@Injectable()
@Listens(MAILBOX_HOOKS)
export class DeletedMailboxListener implements MailboxHooks {
  constructor(
    private readonly sends: SendRepository,
    private readonly claims: SendClaimService,
  ) {}

  /** Joins the transaction of the deletion. `MailboxSendingListener` resolves interrupted handovers. */
  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    for (const send of await this.sends.listInFlight(workspaceId, mailboxId)) {
      if (send.state !== 'sending') await this.claims.releaseLead(send, 'The mailbox was deleted');
    }
  }
}
