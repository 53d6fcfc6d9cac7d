import { SendingAddressesService } from '@domain/deliverability';
import { SentOriginRegistry } from '@domain/warmup';
import { Injectable, type OnModuleInit } from '@nestjs/common';

/** Passes the sending addresses that warmup observes to the blacklist tests. */
@Injectable()
export class SendingAddressListener implements OnModuleInit {
  constructor(
    private readonly origins: SentOriginRegistry,
    private readonly addresses: SendingAddressesService,
  ) {}

  onModuleInit(): void {
    this.origins.register((workspaceId, mailboxId, address) => this.addresses.learn(workspaceId, mailboxId, address));
  }
}
