import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { MaintenanceModeService } from '@platform/maintenance';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { ClusterMemberRecord } from './cluster-member.record';

const HEARTBEAT_MS = 10_000;
/** A member without a heartbeat for this long has expired. */
const EXPIRY_MS = 35_000;

/**
 * The members of a kind of work that processes divide among themselves by `getOwner`. The database's clock times them. While
 * members change, two processes may both own a key for a moment: their work has to tolerate that.
 */
@Injectable()
export class ClusterMembershipService implements OnModuleDestroy {
  readonly #self = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<unknown> | undefined;

  constructor(
    @InjectModel(ClusterMemberRecord.name) private readonly members: Model<ClusterMemberRecord>,
    private readonly maintenance: MaintenanceModeService,
    private readonly log: LogService,
  ) {}

  /**
   * Makes this process a member until `stop`, so that no restore replaces the database that it uses.
   * @param work what the process does
   * @throws BootError while a restore runs
   */
  async start(work: string): Promise<void> {
    const beat = () => this.join(work, this.#self, EXPIRY_MS);
    await beat();
    this.#timer = setInterval(() => {
      this.#beating ??= beat()
        .catch((error: unknown) => this.log.warn('The heartbeat of this process failed', { reason: String(error) }))
        .finally(() => (this.#beating = undefined));
    }, HEARTBEAT_MS);
    // After joining, not before: a restore that counted the members earlier has set its mark by now.
    await this.maintenance.requireWhole().catch(async (refusal: unknown) => {
      await this.stop();
      throw refusal;
    });
  }

  async stop(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#beating;
    await this.leave(this.#self);
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  /**
   * Makes `member` a member for the next `milliseconds`.
   * @returns all live members of the kind of work, this one included
   */
  async join(work: string, member: string, milliseconds: number): Promise<string[]> {
    const self = await this.members.findOneAndUpdate(
      { _id: member },
      [{ $set: { work, expiresAt: { $add: ['$$NOW', milliseconds] } } }],
      { upsert: true, returnDocument: 'after', lean: true, updatePipeline: true },
    );
    // The database's own time: not every server knows $$NOW in a find.
    const now = new Date((self?.expiresAt.getTime() ?? 0) - milliseconds);
    const alive = await this.members.find({ work, expiresAt: { $gt: now } }, { _id: 1 }).lean<{ _id: string }[]>();
    return alive.map(({ _id }) => _id);
  }

  /** The number of live members; a crashed process counts until it expires. */
  async size(): Promise<number> {
    // The database's own time, which not every server knows in a `$match`.
    const [found] = await this.members.aggregate<{ count: number }>([
      { $set: { isAlive: { $gt: ['$expiresAt', '$$NOW'] } } },
      { $match: { isAlive: true } },
      { $count: 'count' },
    ]);
    return found?.count ?? 0;
  }

  /** Ends the membership at once, so that the other members take over its share. */
  async leave(member: string): Promise<void> {
    await this.members.deleteOne({ _id: member });
  }
}
