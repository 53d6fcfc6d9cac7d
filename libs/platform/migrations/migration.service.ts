import { Inject, Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Lease, LeaseService } from '@platform/database';
import { conflict } from '@platform/errors';
import { MaintenanceModeService } from '@platform/maintenance';
import { LogService } from '@platform/observability';
import { type Connection, type mongo } from 'mongoose';
import { type Migration } from './migration';
import { MigrationHistoryRepository } from './migration-history.repository';
import { requireOrder, compareMigrations } from './migration-order';

/** Token of the list of all migrations, oldest first. */
export const MIGRATIONS = Symbol('migrations');

/** What `migrate status` and a dry run tell of one that was not run yet. */
export interface PendingMigration {
  readonly name: string;
  readonly why: string;
  readonly required: boolean;
  /** Documents or indexes that it would change. */
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
const LEASE_MS = 60_000;

/** Runs what this release expects of a database that an older one has written. */
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

  /** Changes nothing. */
  async status(): Promise<MigrationStatus> {
    const { applied, pending, unknown } = compareMigrations(this.known, await this.marks.names());
    const isFresh = pending.length > 0 && (await this.marks.isFresh());
    const told: PendingMigration[] = [];
    for (const migration of isFresh ? [] : pending) {
      const { name, why, isRequired } = migration;
      told.push({ name, why, required: isRequired, left: await migration.left(this.#database) });
    }
    return { applied, pending: told, unknown };
  }

  /**
   * Runs those that were not run yet, one after the other. What was begun by a run that was stopped or died goes on where
   * it is.
   * @throws BootError on a half restored database; CONFLICT while somebody else runs them, or when a newer release has been here
   */
  async up(signal: AbortSignal): Promise<MigrationRun> {
    await this.maintenance.requireWhole();
    const lease = await this.leases.acquire(LEASE, LEASE_MS);
    if (!lease)
      throw conflict('Migrations are being run by somebody else; a run that died is forgotten after a minute');
    const held = new AbortController();
    const renewal = setInterval(() => void this.#renew(lease, held), LEASE_MS / 3);
    try {
      return await this.#up(AbortSignal.any([signal, held.signal]));
    } finally {
      clearInterval(renewal);
      await this.leases.release(lease);
    }
  }

  async #up(signal: AbortSignal): Promise<MigrationRun> {
    const { unknown } = compareMigrations(this.known, await this.marks.names());
    if (unknown.length > 0) throw conflict(`A newer release has been here, which ran ${unknown.join(', ')}`);
    const ran: { name: string; changed: number; seconds: number }[] = [];
    if (await this.marks.adopt(this.known.map(({ name }) => name))) return { ran };
    // Loaded here and not above: only this command needs it, and it takes a process a fifth of a second.
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
          this.log.info('A migration was run', { migration: migration.name, changed, seconds });
        },
      })),
      storage: {
        logMigration: ({ name }) => this.marks.mark(name, changes.get(name) ?? 0),
        unlogMigration: () => Promise.reject(new Error('Migrations go forward only; restore a backup')),
        executed: () => this.marks.names(),
      },
      logger: undefined,
    });
    try {
      await umzug.up();
    } catch (error) {
      // Its own words say only which one it was, with the stack of the failure in them.
      throw error instanceof MigrationError && error.cause instanceof Error ? error.cause : error;
    }
    return { ran };
  }

  async #renew(lease: Lease, held: AbortController): Promise<void> {
    const isHeld = await this.leases.renew(lease, LEASE_MS).catch(() => false);
    if (!isHeld) held.abort(conflict('The lease of the migrations was lost; run them again'));
  }

  get #database(): mongo.Db {
    if (!this.connection.db) throw new Error('not connected');
    return this.connection.db;
  }
}
