import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { isDuplicateKey, TransactionService } from '@platform/database';
import { conflict, invalidField } from '@platform/errors';
import { type Model } from 'mongoose';
import { type SetTrackingHostRequest, toTrackingHost, type TrackingHostResponse } from '../dto/tracking-host.dto';
import { nextCheckAt, TrackingHostRecord } from '../schemas/tracking-host.record';
import { HostProofService } from './host-proof.service';

/** The host of a workspace's own that links and pixels of its emails name. */
@Injectable()
export class TrackingHostsService {
  constructor(
    @InjectModel(TrackingHostRecord.name) private readonly hosts: Model<TrackingHostRecord>,
    private readonly proof: HostProofService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  async get({ workspaceId }: WorkspaceScope): Promise<TrackingHostResponse> {
    return toTrackingHost(await this.hosts.findOne({ workspaceId }).lean<TrackingHostRecord>());
  }

  /**
   * Takes a host that leads to this platform; emails name it within a minute. What was sent before keeps its links.
   * @throws VALIDATION_ERROR for what is more, or less, than scheme and host; TRACKING_HOST_UNREACHABLE; CONFLICT when it is
   *   another workspace's
   */
  async set(workspace: WorkspaceScope, { url }: SetTrackingHostRequest): Promise<TrackingHostResponse> {
    const origin = this.#origin(url);
    await this.proof.ensure(origin);
    const checked = { verifiedAt: this.clock.now(), checkAt: nextCheckAt(this.clock), failures: 0, problem: null };
    const found = { url: origin, ...checked };
    await this.transactions
      .run(() => this.#store(workspace, found))
      .catch((error: unknown) => {
        throw isDuplicateKey(error) ? conflict(`${origin} is the tracking host of another workspace`) : error;
      });
    return toTrackingHost(found);
  }

  /** Emails name the address of the platform again, within a minute. Keep the host's DNS: what was sent still names it. */
  async remove(workspace: WorkspaceScope): Promise<MessageResponse> {
    const { workspaceId } = workspace;
    await this.transactions.run(async () => {
      const before = await this.hosts.findOneAndDelete({ workspaceId }).lean<TrackingHostRecord>();
      if (before) await this.#audit(workspace, before.url, null);
    });
    return { message: 'Tracking host removed' };
  }

  async #store(
    workspace: WorkspaceScope,
    found: Omit<TrackingHostRecord, '_id' | 'workspaceId' | 'createdAt'>,
  ): Promise<void> {
    const { workspaceId } = workspace;
    const before = await this.hosts
      .findOneAndUpdate({ workspaceId }, { $set: found }, { upsert: true, returnDocument: 'before' })
      .lean<TrackingHostRecord>();
    if (before?.url !== found.url) await this.#audit(workspace, before?.url ?? null, found.url);
  }

  async #audit(workspace: WorkspaceScope, from: string | null, to: string | null): Promise<void> {
    await this.audit.record(workspace, {
      action: 'workspace.tracking_host_changed',
      target: { type: 'workspace', id: workspace.workspaceId },
      changes: { trackingHost: { from, to } },
    });
  }

  /** One-click unsubscribing asks for https (RFC 8058); an installation that has none itself may do without. */
  #origin(text: string): string {
    const url = new URL(text);
    const schemes = this.config.publicUrl.startsWith('http:') ? ['https:', 'http:'] : ['https:'];
    if (!schemes.includes(url.protocol)) throw invalidField('url', 'url must begin with https://');
    if (`${url.origin}/` !== url.href) throw invalidField('url', 'url must be a scheme and a host, without a path');
    return url.origin;
  }
}
