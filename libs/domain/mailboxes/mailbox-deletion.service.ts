import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { EventsService } from '@domain/events';
import { type MessageResponse } from '@domain/identity';
import { MailSessionPool } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { type DeleteMailboxQuery } from './dto/mailbox-requests.dto';
import { auditTarget } from './mailbox-audit';
import { MailboxErasureService } from './mailbox-erasure.service';
import { MailboxHookRegistry, type UsingCampaign } from './mailbox-hook.registry';

const NAMED_CAMPAIGNS = 5;

/** The end of a mailbox. What happened with it stays: events, audit, and what it sent. */
@Injectable()
export class MailboxDeletionService {
  constructor(
    private readonly erasure: MailboxErasureService,
    private readonly uses: MailboxHookRegistry,
    private readonly sessions: MailSessionPool,
    private readonly audit: AuditService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Removes the mailbox with its credentials and all that is of no use without it.
   * @throws NOT_FOUND, CONFLICT naming the active campaigns that send from it, unless it is forced
   */
  async delete(
    workspace: WorkspaceScope,
    mailboxId: string,
    { force = 'false' }: DeleteMailboxQuery,
  ): Promise<MessageResponse> {
    const id = await this.transactions.run(async () => {
      const { _id, email } = await this.erasure.find(workspace, mailboxId);
      const id = _id.toHexString();
      const campaigns = await this.uses.activeCampaigns(workspace, id);
      if (campaigns.length > 0 && force !== 'true') throw conflict(describeUse(campaigns));
      await this.uses.released(workspace, id);
      await this.erasure.erase(workspace, _id);
      const changes = { email: { from: email, to: null } };
      await this.audit.record(workspace, { action: 'mailbox.deleted', target: auditTarget(_id), changes });
      await this.events.record(workspace, {
        type: 'mailbox.deleted',
        dedupeKey: `mailbox.deleted:${id}`,
        about: { mailboxId: id },
        data: { email },
      });
      return id;
    });
    // Other processes let go of theirs when they next look for the mailbox.
    await this.sessions.forget(id);
    return { message: 'Mailbox deleted' };
  }
}

function describeUse(campaigns: readonly UsingCampaign[]): string {
  const names = campaigns.slice(0, NAMED_CAMPAIGNS).map(({ id, name }) => `${name} (${id})`);
  const more = campaigns.length > NAMED_CAMPAIGNS ? ` and ${campaigns.length - NAMED_CAMPAIGNS} more` : '';
  return `Active campaigns send from this mailbox: ${names.join(', ')}${more}. Pause them, or delete with force=true`;
}
