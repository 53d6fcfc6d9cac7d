import { Injectable } from '@nestjs/common';

/** Receives the address from which a mailbox's mail reached another server. */
type OriginObserver = (workspaceId: string, mailboxId: string, address: string) => Promise<void>;

/**
 * Sending addresses of mailboxes, found in received warmup mail. Applications register the observers, because domains of one rank
 * do not import each other.
 */
@Injectable()
export class SentOriginRegistry {
  readonly #observers = new Set<OriginObserver>();

  register(observer: OriginObserver): void {
    this.#observers.add(observer);
  }

  /** @param address public IPv4 or IPv6 address */
  async notify(workspaceId: string, mailboxId: string, address: string): Promise<void> {
    for (const observe of this.#observers) await observe(workspaceId, mailboxId, address);
  }
}
