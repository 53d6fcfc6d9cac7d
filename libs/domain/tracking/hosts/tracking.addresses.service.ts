import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { Config } from '@platform/config';
import { type Model, type Types } from 'mongoose';
import { TrackingHostRecord } from '../schemas/tracking-host.record';
import { TrackingTokens } from '../tracking.tokens';
import { TrackingUrls } from '../tracking.urls';

/** For how long a process writes what it has read: all hosts lead here, the one before as well. */
const KEPT_MS = 60_000;
const MOST_KEPT = 10_000;

interface Kept {
  readonly urls: Promise<TrackingUrls>;
  readonly until: number;
}

/** The URLs that the emails of a workspace have: under its own host, or under the address of the platform. */
@Injectable()
export class TrackingAddresses {
  readonly #kept = new Map<string, Kept>();

  constructor(
    @InjectModel(TrackingHostRecord.name) private readonly hosts: Model<TrackingHostRecord>,
    private readonly tokens: TrackingTokens,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Read once a minute, however many emails are written. */
  async of(workspaceId: Types.ObjectId | string): Promise<TrackingUrls> {
    const id = String(workspaceId);
    const now = this.clock.now().getTime();
    const kept = this.#kept.get(id);
    if (kept && now < kept.until) return kept.urls;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    const urls = this.#read(id);
    this.#kept.set(id, { urls, until: now + KEPT_MS });
    // Whoever comes next asks again.
    urls.catch(() => this.#kept.delete(id));
    return urls;
  }

  /** Hosts, with their ports, that links of this workspace's emails lead to: the one before its own as well. */
  async hostsOf(workspaceId: Types.ObjectId | string): Promise<string[]> {
    const { host } = new URL(this.config.publicUrl);
    return [...new Set([host, (await this.of(workspaceId)).host])];
  }

  async #read(workspaceId: string): Promise<TrackingUrls> {
    const host = await this.hosts.findOne({ workspaceId }, { url: 1 }).lean<Pick<TrackingHostRecord, 'url'>>();
    return new TrackingUrls(this.tokens, host?.url ?? this.config.publicUrl);
  }
}
