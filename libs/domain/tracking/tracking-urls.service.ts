import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { type Model, type Types } from 'mongoose';
import { isInUse, TrackingHostRecord } from './schemas/tracking-host.record';
import { TrackingTokenService } from './tracking-token.service';
import { TrackingUrls } from './tracking-urls';

/** A process may use a stale host for this long: the previous host resolves to this installation as well. */
const CACHED_MS = 60_000;
const MAX_CACHED = 10_000;

interface WorkspaceUrls {
  readonly urls: TrackingUrls;
  /** The workspace's own host, also while it does not resolve to this installation; null when it has none. */
  readonly ownHost: string | null;
}

interface CacheEntry {
  readonly urls: Promise<WorkspaceUrls>;
  readonly until: number;
}

/** The URLs in the emails of a workspace: on its own tracking host, or on the public address of the platform. */
@Injectable()
export class TrackingUrlsService {
  readonly #cache = new Map<string, CacheEntry>();

  constructor(
    @InjectModel(TrackingHostRecord.name) private readonly hosts: Model<TrackingHostRecord>,
    private readonly tokens: TrackingTokenService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /** Reads the host at most once a minute per workspace, however many emails are rendered. */
  async urlsOf(workspaceId: Types.ObjectId | string): Promise<TrackingUrls> {
    return (await this.#get(workspaceId)).urls;
  }

  /** Lists the hosts, with ports, of links in this workspace's emails: the platform's and the workspace's own. */
  async hostsOf(workspaceId: Types.ObjectId | string): Promise<string[]> {
    const { host } = new URL(this.config.publicUrl);
    const { ownHost } = await this.#get(workspaceId);
    return ownHost === null || ownHost === host ? [host] : [host, ownHost];
  }

  async #get(workspaceId: Types.ObjectId | string): Promise<WorkspaceUrls> {
    const id = String(workspaceId);
    const now = this.clock.now().getTime();
    const cached = this.#cache.get(id);
    if (cached && now < cached.until) return cached.urls;
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    const urls = this.#read(id);
    this.#cache.set(id, { urls, until: now + CACHED_MS });
    // A failed read is not cached: the next caller reads again.
    urls.catch(() => this.#cache.delete(id));
    return urls;
  }

  async #read(workspaceId: string): Promise<WorkspaceUrls> {
    const host = await this.hosts
      .findOne({ workspaceId }, { url: 1, failures: 1 })
      .lean<Pick<TrackingHostRecord, 'url' | 'failures'>>();
    const { publicUrl } = this.config;
    return {
      urls: new TrackingUrls(this.tokens, host && isInUse(host) ? host.url : publicUrl),
      ownHost: host && new URL(host.url).host,
    };
  }
}
