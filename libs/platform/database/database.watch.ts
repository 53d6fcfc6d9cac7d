import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Log } from '@platform/observability';
import { type Connection } from 'mongoose';
import { firstReadOptions } from './connection.options';

const LOOK_EVERY_MS = 5_000;
/** Far longer than the driver needs to find its way back by itself. */
const GIVE_UP_AFTER_MS = 60_000;

/**
 * Ends the process when MongoDB has not answered for a minute, so that whoever runs it starts a fresh one. The driver
 * (7.x) watches a server over a connection of its own; when that one breaks just as it is being written to, it waits for
 * ever and never looks at the server again.
 */
@Injectable()
export class DatabaseWatch implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #seenAt = performance.now();

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.#seenAt = performance.now();
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      await this.connection.db?.command({ ping: 1 }, firstReadOptions());
      this.#seenAt = performance.now();
    } catch (error) {
      if (performance.now() - this.#seenAt < GIVE_UP_AFTER_MS) return;
      clearInterval(this.#timer);
      this.log.error('MongoDB has not answered for a minute; this process ends and is to be started again', error);
      process.kill(process.pid, 'SIGTERM');
    }
  }
}
