import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { type Model, type Types } from 'mongoose';
import { isInUse, TrackingHostRecord } from '../schemas/tracking-host.record';
import { TrackingTokenService } from '../tracking-token.service';
import { TrackingUrls } from '../tracking-urls';

/** For how long a process writes what it has read: all hosts lead here, the one before as well. */
const KEPT_MS = 60_000;
const MOST_KEPT = 10_000;

interface Found {
  readonly urls: TrackingUrls;
  /** Its own host, also while it does not lead here; null when it has none. */
  readonly own: string | null;
}

interface Kept {
  readonly found: Promise<Found>;
  readonly until: number;
}

/** The URLs that the emails of a workspace have: under its own host, or under the address of the platform. */
@Injectable()
export class TrackingAddressesService {
  readonly #kept = new Map<string, Kept>();

  constructor(
    @InjectModel(TrackingHostRecord.name) private readonly hosts: Model<TrackingHostRecord>,
    private readonly tokens: TrackingTokenService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /** Read once a minute, however many emails are written. */
  async of(workspaceId: Types.ObjectId | string): Promise<TrackingUrls> {
    return (await this.#find(workspaceId)).urls;
  }

  /** Hosts, with their ports, that links of this workspace's emails lead to: the one before its own as well. */
  async hostsOf(workspaceId: Types.ObjectId | string): Promise<string[]> {
    const { host } = new URL(this.config.publicUrl);
    const { own } = await this.#find(workspaceId);
    return own === null || own === host ? [host] : [host, own];
  }

  async #find(workspaceId: Types.ObjectId | string): Promise<Found> {
    const id = String(workspaceId);
    const now = this.clock.now().getTime();
    const kept = this.#kept.get(id);
    if (kept && now < kept.until) return kept.found;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    const found = this.#read(id);
    this.#kept.set(id, { found, until: now + KEPT_MS });
    // Whoever comes next asks again.
    found.catch(() => this.#kept.delete(id));
    return found;
  }

  async #read(workspaceId: string): Promise<Found> {
    const host = await this.hosts
      .findOne({ workspaceId }, { url: 1, failures: 1 })
      .lean<Pick<TrackingHostRecord, 'url' | 'failures'>>();
    const { publicUrl } = this.config;
    return {
      urls: new TrackingUrls(this.tokens, host && isInUse(host) ? host.url : publicUrl),
      own: host && new URL(host.url).host,
    };
  }
}
