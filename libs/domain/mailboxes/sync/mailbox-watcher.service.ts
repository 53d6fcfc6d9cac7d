import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { MailError } from '@adapters/mail';
import { WorkspaceRepository } from '@domain/identity';
import { ClusterMembershipService, getOwner } from '@platform/cluster';
import { LogService, MetricsService } from '@platform/observability';
import { type Model } from 'mongoose';
import pLimit from 'p-limit';
import { MailboxRecord } from '../schemas/mailbox.record';
import { MailboxSyncService, type SyncTarget } from './mailbox-sync.service';
import { pauseAfter, remainingGap } from './watch-backoff';

/** Interval at which the mailboxes are divided among the workers. */
const DIVIDE_EVERY_MS = 10_000;
/** A worker without a heartbeat for this long loses its mailboxes to the others. */
const MEMBER_MS = 35_000;
/** A mailbox is read at least this often, with or without notifications of its server. */
const POLL_MS = 60_000;
/** Mailboxes that one worker reads at the same time; the others wait on open connections. */
const READING_AT_ONCE = 64;

interface Watch {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  /** When the mailbox was last read to its end, or the watch began (milliseconds of this process). */
  readAt: number;
}

/**
 * Watches the mailboxes of all workspaces. Each worker has its share (`getOwner`) and keeps one connection open per
 * mailbox (IMAP IDLE, or polling). During a change of owner two workers may watch one mailbox: what they read is
 * stored once.
 */
@Injectable()
export class MailboxWatcherService implements OnModuleDestroy {
  readonly #self = randomUUID();
  readonly #watches = new Map<string, Watch>();
  /** Watches that are stopping. */
  readonly #ending = new Set<Promise<void>>();
  readonly #reading = pLimit(READING_AT_ONCE);
  #timer: NodeJS.Timeout | undefined;
  #joined = false;
  #dividing: Promise<void> | undefined;

  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly workspaces: WorkspaceRepository,
    private readonly sync: MailboxSyncService,
    private readonly cluster: ClusterMembershipService,
    private readonly metrics: MetricsService,
    private readonly log: LogService,
  ) {}

  start(): void {
    this.metrics.measureLazily(this.metrics.watchedMailboxes, async () => [{ labels: {}, value: this.size }]);
    this.metrics.measureLazily(this.metrics.mailboxReadAge, async () => [
      { labels: {}, value: this.#oldestReadSeconds() },
    ]);
    this.#timer = setInterval(() => this.#divide(), DIVIDE_EVERY_MS);
    this.#divide();
  }

  /** Stops watching and leaves the mailboxes to the other workers. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#dividing;
    this.#end([...this.#watches.keys()]);
    await Promise.all(this.#ending);
    if (!this.#joined) return;
    this.#joined = false;
    await this.cluster.leave(this.#self);
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  /** Starts and ends watches, so that they match this worker's share of the connected mailboxes. */
  async divide(): Promise<void> {
    this.#joined = true;
    const members = await this.cluster.join('mailboxes', this.#self, MEMBER_MS);
    const targets = await this.#listConnected();
    const mine = new Map(
      targets
        .filter((target) => getOwner(toWatchKey(target), members) === this.#self)
        .map((target) => [toWatchKey(target), target]),
    );
    // Not awaited: a slow server must delay neither other watches nor the next heartbeat.
    this.#end([...this.#watches.keys()].filter((key) => !mine.has(key)));
    for (const [key, target] of mine) if (!this.#watches.has(key)) this.#begin(key, target);
  }

  /** Mailboxes that this worker watches. */
  get size(): number {
    return this.#watches.size;
  }

  #oldestReadSeconds(): number {
    const now = performance.now();
    return Math.max(0, ...[...this.#watches.values()].map(({ readAt }) => (now - readAt) / 1_000));
  }

  #recordRead(key: string): void {
    this.metrics.mailboxReads.inc({ outcome: 'done' });
    const watch = this.#watches.get(key);
    if (watch) watch.readAt = performance.now();
  }

  #divide(): void {
    this.#dividing ??= this.divide()
      .catch((error: unknown) => this.log.error('Mailboxes could not be divided among the workers; retrying', error))
      .finally(() => (this.#dividing = undefined));
  }

  async #listConnected(): Promise<SyncTarget[]> {
    const found = await this.mailboxes
      .find({ 'connection.state': 'connected' }, { workspaceId: 1, credentialsRevision: 1 })
      .setOptions({ allWorkspaces: 'workers watch the mailboxes of all workspaces' })
      .lean<Pick<MailboxRecord, '_id' | 'workspaceId' | 'credentialsRevision'>[]>();
    const alive = await this.workspaces.filterAlive([
      ...new Set(found.map(({ workspaceId }) => workspaceId.toHexString())),
    ]);
    return found
      .filter(({ workspaceId }) => alive.has(workspaceId.toHexString()))
      .map(({ _id, workspaceId, credentialsRevision }) => ({
        workspaceId,
        mailboxId: _id,
        revision: credentialsRevision,
      }));
  }

  #begin(key: string, target: SyncTarget): void {
    const stop = new AbortController();
    const forget = (): void => void (this.#watches.get(key)?.stop === stop && this.#watches.delete(key));
    const ended = this.#watch(target, stop.signal)
      .catch((error: unknown) =>
        this.log.error('A mailbox is not watched', error, { mailboxId: target.mailboxId.toHexString() }),
      )
      .finally(forget);
    this.#watches.set(key, { stop, ended, readAt: performance.now() });
  }

  #end(keys: readonly string[]): void {
    for (const key of keys) {
      const watch = this.#watches.get(key);
      if (!watch) continue;
      this.#watches.delete(key);
      const ended: Promise<void> = watch.ended.finally(() => this.#ending.delete(ended));
      this.#ending.add(ended);
      watch.stop.abort();
    }
  }

  /** Reads and waits repeatedly until it is stopped or the mailbox cannot be reached. */
  async #watch(target: SyncTarget, signal: AbortSignal): Promise<void> {
    // In a row: failures without a successful read, and breaks without a completed wait.
    let failures = 0;
    let breaks = 0;
    while (!signal.aborted) {
      try {
        const isConnected = await this.sync.withSession(
          target,
          async (read, session) => {
            while (!signal.aborted) {
              const began = performance.now();
              await this.#reading(read);
              this.#recordRead(toWatchKey(target));
              failures = 0;
              const atMostMs = Math.round(POLL_MS * (0.8 + Math.random() * 0.2));
              if (!signal.aborted) await session.waitForChange({ atMostMs, signal });
              breaks = 0;
              await pause(remainingGap(performance.now() - began), undefined, { signal });
            }
          },
          signal,
        );
        if (!isConnected) return;
      } catch (error) {
        if (signal.aborted) return;
        this.metrics.mailboxReads.inc({ outcome: 'lost' });
        failures += 1;
        breaks += 1;
        if (await this.#recordIfUnreachable(target, error, failures)) return;
        const pauseMs = pauseAfter({ failures, breaks, pollMs: POLL_MS }, Math.random());
        await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Connections break often: only a second failure in a row concerns the mailbox. */
  async #recordIfUnreachable(target: SyncTarget, error: unknown, failures: number): Promise<boolean> {
    const isOutage =
      error instanceof MailError && (error.failure === 'needs-human' || (failures > 1 && isUnreachable(error)));
    if (isOutage) await this.sync.recordFailure(target, error);
    else if (failures > 1) {
      this.log.warn('A mailbox cannot be read; retrying', {
        mailboxId: target.mailboxId.toHexString(),
        reason: error instanceof Error ? error.message : String(error),
      });
    }
    return isOutage;
  }
}

/** New credentials need a new watch. */
function toWatchKey({ mailboxId, revision }: SyncTarget): string {
  return `${mailboxId.toHexString()}-${revision}`;
}

/** Whether the whole mailbox cannot be reached, in contrast to a failed request. */
function isUnreachable({ stage }: MailError): boolean {
  return stage !== 'request' && stage !== 'busy';
}
