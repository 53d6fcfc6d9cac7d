import { type WorkspaceScope } from '@domain/access';
import { type MailboxHooks, MailboxHookRegistry } from '@domain/mailboxes';
import { SendRepository } from '@domain/sends';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SendClaimService } from './send-claim.service';

/** Whoever was being written to from a mailbox that is deleted is free again: no turn of it comes that could see to it. */
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

  /** In the transaction of the deletion. What is on the wire is looked for (`SendsReleaseListener`). */
  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    for (const send of await this.sends.inFlightOf(workspaceId, mailboxId)) {
      if (send.state !== 'wire') await this.claims.releaseLead(send, 'The mailbox was deleted');
    }
  }
}
