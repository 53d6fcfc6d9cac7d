import { Injectable } from '@nestjs/common';

/** Is told from which address the mail of a mailbox reached somebody else's server. */
type OriginObserver = (workspaceId: string, mailboxId: string, address: string) => Promise<void>;

/**
 * From which addresses mailboxes send, as it shows where their warmup mail is received. An app tells at its start who wants to
 * know: domains of the same rank do not know each other.
 */
@Injectable()
export class SentOriginRegistry {
  readonly #observers = new Set<OriginObserver>();

  register(observer: OriginObserver): void {
    this.#observers.add(observer);
  }

  /** @param address IPv4 or IPv6, of the public internet */
  async notify(workspaceId: string, mailboxId: string, address: string): Promise<void> {
    for (const observe of this.#observers) await observe(workspaceId, mailboxId, address);
  }
}
