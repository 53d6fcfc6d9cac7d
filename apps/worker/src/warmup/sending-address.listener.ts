import { SendingAddressRepository } from '@domain/deliverability';
import { SentOriginRegistry } from '@domain/warmup';
import { Injectable, type OnModuleInit } from '@nestjs/common';

/** Passes the sending addresses that warmup finds to the blacklist tests. */
@Injectable()
export class SendingAddressListener implements OnModuleInit {
  constructor(
    private readonly origins: SentOriginRegistry,
    private readonly addresses: SendingAddressRepository,
  ) {}

  onModuleInit(): void {
    this.origins.register((workspaceId, mailboxId, address) => this.addresses.learn(workspaceId, mailboxId, address));
  }
}
