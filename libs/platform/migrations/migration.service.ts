import { Inject, Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { LeaseLostError, LeaseService } from '@platform/database';
import { conflict } from '@platform/errors';
import { MaintenanceModeService } from '@platform/maintenance';
import { LogService } from '@platform/observability';
import { type Connection, type mongo } from 'mongoose';
import { type Migration } from './migration';
import { MigrationHistoryRepository } from './migration-history.repository';
import { requireOrder, compareMigrations } from './migration-order';

/** Token of the list of all migrations, oldest first. */
export const MIGRATIONS = Symbol('migrations');

/** A pending migration as `migrate status` and a dry run show it. */
export interface PendingMigration {
  readonly name: string;
  readonly why: string;
  readonly required: boolean;
  /** Number of documents or indexes to change. */
  readonly left: number;
}

export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly PendingMigration[];
  readonly unknown: readonly string[];
}

export interface MigrationRun {
  readonly ran: readonly { name: string; changed: number; seconds: number }[];
}

const LEASE = 'migrations';

/** Runs the migrations that a database of an older release needs. */
@Injectable()
export class MigrationService {
  constructor(
    @Inject(MIGRATIONS) private readonly known: readonly Migration[],
    @InjectConnection() private readonly connection: Connection,
    private readonly marks: MigrationHistoryRepository,
    private readonly leases: LeaseService,
    private readonly maintenance: MaintenanceModeService,
    private readonly log: LogService,
  ) {
    requireOrder(known);
  }

  /** Compares the database with this release; changes nothing. */
  async status(): Promise<MigrationStatus> {
    const { applied, pending, unknown } = compareMigrations(this.known, await this.marks.names());
    const isFresh = pending.length > 0 && (await this.marks.isFresh());
    const described: PendingMigration[] = [];
    for (const migration of isFresh ? [] : pending) {
      const { name, why, isRequired } = migration;
      described.push({ name, why, required: isRequired, left: await migration.left(this.#database) });
    }
    return { applied, pending: described, unknown };
  }

  /**
   * Runs the pending migrations in order. A migration that was interrupted continues.
   * @throws BootError while a restore is incomplete; CONFLICT while another process runs them, or on a database of a newer release
   */
  async up(signal: AbortSignal): Promise<MigrationRun> {
    await this.maintenance.requireWhole();
    const run = await this.#upUnderLease(signal);
    if (run) return run;
    throw conflict('Another process is running the migrations; the lease of a crashed one expires after 15 seconds');
  }

  async #upUnderLease(stopping: AbortSignal): Promise<MigrationRun | null> {
    try {
      return await this.leases.runUnderLease(LEASE, stopping, (signal) => this.#up(signal));
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      throw conflict('The lease of the migrations has expired; run them again');
    }
  }

  async #up(signal: AbortSignal): Promise<MigrationRun> {
    const { unknown } = compareMigrations(this.known, await this.marks.names());
    if (unknown.length > 0)
      throw conflict(`The database belongs to a newer release, which applied ${unknown.join(', ')}`);
    const ran: { name: string; changed: number; seconds: number }[] = [];
    if (await this.marks.adopt(this.known.map(({ name }) => name))) return { ran };
    // Loaded on demand: only this command needs it, and loading takes a fifth of a second.
    const { MigrationError, Umzug } = await import('umzug');
    const changes = new Map<string, number>();
    const umzug = new Umzug({
      migrations: this.known.map((migration) => ({
        name: migration.name,
        up: async () => {
          signal.throwIfAborted();
          const started = performance.now();
          const changed = await migration.run(this.#database, signal);
          changes.set(migration.name, changed);
          const seconds = Math.round((performance.now() - started) / 100) / 10;
          ran.push({ name: migration.name, changed, seconds });
          this.log.info('A migration has run', { migration: migration.name, changed, seconds });
        },
      })),
      storage: {
        logMigration: ({ name }) => this.marks.mark(name, changes.get(name) ?? 0),
        unlogMigration: () => Promise.reject(new Error('Migrations cannot be reverted; restore a backup')),
        executed: () => this.marks.names(),
      },
      logger: undefined,
    });
    try {
      await umzug.up();
    } catch (error) {
      // The message of umzug names only the migration and contains the stack of the cause.
      throw error instanceof MigrationError && error.cause instanceof Error ? error.cause : error;
    }
    return { ran };
  }

  get #database(): mongo.Db {
    if (!this.connection.db) throw new Error('not connected');
    return this.connection.db;
  }
}
