import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Config } from '@platform/config';
import { Log } from '@platform/observability';
import { mongo, type Connection } from 'mongoose';
import { connectionOptions, firstReadOptions } from './connection.options';

const LOOK_EVERY_MS = 5_000;
/** Far longer than the driver needs to find its way back by itself. */
const GIVE_UP_AFTER_MS = 60_000;

/**
 * Ends the process when MongoDB has not answered it for a minute although it answers a new connection, so that whoever
 * runs it starts a fresh one; while MongoDB really is away it waits. The driver
 * (7.x) watches a server over a connection of its own; when that one breaks just as it is being written to, it waits for
 * ever and never looks at the server again.
 */
@Injectable()
export class DatabaseWatch implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #seenAt = performance.now();

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly config: Config,
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

  /** Whether MongoDB answers a connection that is made for the question. */
  async answersAnew(): Promise<boolean> {
    const { appName, serverSelectionTimeoutMS = 0 } = connectionOptions('outreach-watch');
    const client = new mongo.MongoClient(this.config.mongodbUri, {
      serverSelectionTimeoutMS,
      ...(appName ? { appName } : {}),
    });
    try {
      await client.db().command({ ping: 1 }, firstReadOptions());
      return true;
    } catch {
      return false;
    } finally {
      await client.close(true).catch(() => {});
    }
  }

  async #look(): Promise<void> {
    try {
      await this.connection.db?.command({ ping: 1 }, firstReadOptions());
      this.#seenAt = performance.now();
    } catch (error) {
      if (performance.now() - this.#seenAt < GIVE_UP_AFTER_MS || !(await this.answersAnew())) return;
      clearInterval(this.#timer);
      this.log.error(
        'MongoDB answers a new connection but not this process, which ends and is to be started again',
        error,
      );
      process.kill(process.pid, 'SIGTERM');
    }
  }
}
