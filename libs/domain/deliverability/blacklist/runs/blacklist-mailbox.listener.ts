import { type WorkspaceScope } from '@domain/access';
import { type MailboxHooks, MailboxHookRegistry } from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MailboxBlacklistStatusRepository } from './mailbox-blacklist-status.repository';
import { SendingAddressRepository } from './sending-address.repository';

/** Deletes status and sending addresses with their mailbox. Former tests stay, and schedules continue without it. */
@Injectable()
export class BlacklistMailboxListener implements Partial<MailboxHooks>, OnModuleInit {
  constructor(
    private readonly statuses: MailboxBlacklistStatusRepository,
    private readonly addresses: SendingAddressRepository,
    private readonly hooks: MailboxHookRegistry,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    await this.statuses.forget(workspaceId, mailboxId);
    await this.addresses.forget(workspaceId, mailboxId);
  }
}
