import { type WorkspaceScope } from '@domain/access';
import { type MailboxHooks, MailboxHookRegistry } from '@domain/mailboxes';
import { SendRepository } from '@domain/sends';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SendClaimService } from './send-claim.service';

/** Releases the claimed leads of a deleted mailbox, because no further run of the mailbox does so. */
@Injectable()
export class DeletedMailboxListener implements Partial<MailboxHooks>, OnModuleInit {
  constructor(
    private readonly uses: MailboxHookRegistry,
    private readonly sends: SendRepository,
    private readonly claims: SendClaimService,
  ) {}

  onModuleInit(): void {
    this.uses.register(this);
  }

  /** Joins the transaction of the deletion. `MailboxSendingListener` resolves interrupted handovers. */
  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    for (const send of await this.sends.listInFlight(workspaceId, mailboxId)) {
      if (send.state !== 'sending') await this.claims.releaseLead(send, 'The mailbox was deleted');
    }
  }
}
