import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LogService } from '@platform/observability';
import { EventRelayService } from './event-relay.service';

/** How soon an event is handed on at the latest, when there is nothing else to do. */
const LOOK_MS = 200;

/**
 * Hands events on as they happen: looks every so often, which costs one read of an index that holds nothing else. The
 * schedule does the same more slowly; nothing depends on this one.
 */
@Injectable()
export class EventFollowerService implements OnModuleDestroy {
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<unknown> | undefined;
  /** One line when it fails and none for each look meanwhile. */
  #failing = false;

  constructor(
    private readonly relay: EventRelayService,
    private readonly log: LogService,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Begins nothing more and waits for what is being handed on. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#looking;
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  #look(): void {
    this.#looking ??= this.#handOn().finally(() => (this.#looking = undefined));
  }

  async #handOn(): Promise<void> {
    try {
      await this.relay.relay(this.#stopping.signal);
      this.#failing = false;
    } catch (error) {
      if (this.#failing) return;
      this.#failing = true;
      this.log.warn('Events are not handed on; it is tried again', {
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
}
