import { type WorkspaceScope } from '@domain/access';
import { type MailboxHooks, MAILBOX_HOOKS, SENT_MAIL_HOOKS, type SentMailHooks } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { Listens } from '@platform/hooks';
import { MailboxBlacklistStatusRepository } from './mailbox-blacklist-status.repository';
import { SendingAddressRepository } from './sending-address.repository';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Learns the sending addresses of a mailbox, and deletes them and its status with it. Former tests and schedules stay. */
@Injectable()
@Listens(MAILBOX_HOOKS)
@Listens(SENT_MAIL_HOOKS)
export class BlacklistMailboxListener implements MailboxHooks, SentMailHooks {
  constructor(
    private readonly statuses: MailboxBlacklistStatusRepository,
    private readonly addresses: SendingAddressRepository,
  ) {}

  async originated({ workspaceId }: Workspace, mailboxId: string, address: string): Promise<void> {
    await this.addresses.learn(workspaceId, mailboxId, address);
  }

  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    await this.statuses.forget(workspaceId, mailboxId);
    await this.addresses.forget(workspaceId, mailboxId);
  }
}
