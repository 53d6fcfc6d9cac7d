import { randomBytes } from 'node:crypto';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse, WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { isDuplicateKey, TransactionService } from '@platform/database';
import { AppError, conflict, invalidField } from '@platform/errors';
import { LogService } from '@platform/observability';
import { OutboundHttpClient } from '@platform/outbound';
import { TokenSignerService } from '@platform/secrets';
import { type Model } from 'mongoose';
import { type SetTrackingHostRequest, toTrackingHost, type TrackingHostResponse } from '../dto/tracking-host.dto';
import { FAILURES_TO_STOP, nextCheckAt, TrackingHostRecord } from '../schemas/tracking-host.record';
import { trackingHostUnreachable } from '../tracking.errors';
import { TRACKING_PATHS } from '../tracking-urls';

const PURPOSE = 'tracking-host';
const PROOF_TIMEOUT_MS = 10_000;
const MAX_PROOF_BYTES = 1_000;
const CHALLENGE = /^[\w-]{1,64}$/;
/** A failure of the host. Any other error of a check is ours and says nothing about the host. */
const UNREACHABLE = 'TRACKING_HOST_UNREACHABLE';
const CHECK_BATCH = 500;
const RECHECK_MS = 600_000;
const FAILING_RECHECK_MS = 3_600_000;
const WORKER = 'the worker checks the tracking hosts of all workspaces';

/**
 * Tracking hosts: a workspace's own host in the links and pixels of its emails. A host is proven by a request to it whose
 * answer only this installation can sign, when it is set and once a day: its DNS and certificate are under foreign control.
 */
@Injectable()
export class TrackingHostsService {
  constructor(
    @InjectModel(TrackingHostRecord.name) private readonly hosts: Model<TrackingHostRecord>,
    private readonly workspaces: WorkspaceRepository,
    private readonly signer: TokenSignerService,
    private readonly http: OutboundHttpClient,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly config: Config,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  async get({ workspaceId }: WorkspaceScope): Promise<TrackingHostResponse> {
    return toTrackingHost(await this.hosts.findOne({ workspaceId }).lean<TrackingHostRecord>());
  }

  /**
   * Stores a host that resolves to this platform; new emails use it within a minute. Links in sent emails do not change.
   * @throws VALIDATION_ERROR unless the URL is a scheme and a host; TRACKING_HOST_UNREACHABLE; CONFLICT when another
   *   workspace has the host
   */
  async set(workspace: WorkspaceScope, { url }: SetTrackingHostRequest): Promise<TrackingHostResponse> {
    const origin = this.#parseOrigin(url);
    await this.verify(origin);
    const checked = { verifiedAt: this.clock.now(), checkAt: nextCheckAt(this.clock), failures: 0, problem: null };
    const host = { url: origin, ...checked };
    await this.transactions
      .run(() => this.#store(workspace, host))
      .catch((error: unknown) => {
        throw isDuplicateKey(error) ? conflict(`${origin} is the tracking host of another workspace`) : error;
      });
    return toTrackingHost(host);
  }

  /** New emails use the platform's address within a minute. The host needs its DNS further: sent emails still name it. */
  async remove(workspace: WorkspaceScope): Promise<MessageResponse> {
    const { workspaceId } = workspace;
    await this.transactions.run(async () => {
      const before = await this.hosts.findOneAndDelete({ workspaceId }).lean<TrackingHostRecord>();
      if (before) await this.#audit(workspace, before.url, null);
    });
    return { message: 'Tracking host removed' };
  }

  /**
   * Checks all hosts that are due. A host that fails is checked again ten minutes later. After a second failure new emails
   * use the platform's address, and the host is checked every hour until it resolves to this installation again.
   */
  async checkDue(signal?: AbortSignal): Promise<void> {
    const due = await this.hosts
      // Records older than the checks have no time: they are due.
      .find({ checkAt: { $not: { $gt: this.clock.now() } } })
      .setOptions({ allWorkspaces: WORKER })
      .sort({ checkAt: 1 })
      .limit(CHECK_BATCH)
      .lean<TrackingHostRecord[]>();
    const alive = await this.workspaces.filterAlive(due.map(({ workspaceId }) => workspaceId.toHexString()));
    for (const host of due) {
      signal?.throwIfAborted();
      if (alive.has(host.workspaceId.toHexString())) await this.#check(host);
      else await this.#update(host, { checkAt: nextCheckAt(this.clock) });
    }
  }

  /** Returns this installation's signed answer; null for an invalid challenge. */
  answerProof(challenge: string): string | null {
    return CHALLENGE.test(challenge) ? this.signer.sign(PURPOSE, challenge) : null;
  }

  /** @throws TRACKING_HOST_UNREACHABLE with what the host answered instead */
  async verify(origin: string): Promise<void> {
    const challenge = randomBytes(16).toString('base64url');
    const { status, body } = await this.#requestProof(origin, challenge);
    if (status === 200 && body.toString('latin1') === this.answerProof(challenge)) return;
    const what = status === 200 ? 'something else answers there' : `it answers with the status ${status}`;
    throw trackingHostUnreachable(`${origin} does not point to this platform: ${what}`);
  }

  async #requestProof(origin: string, challenge: string) {
    try {
      const url = origin + TRACKING_PATHS.proof + challenge;
      const limits = { timeoutMs: PROOF_TIMEOUT_MS, maxResponseBytes: MAX_PROOF_BYTES };
      return await this.http.request({ url, method: 'GET', ...limits });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw trackingHostUnreachable(`${origin} cannot be reached: ${reason}`, error);
    }
  }

  async #check(host: TrackingHostRecord): Promise<void> {
    const { url, workspaceId } = host;
    const failures = host.failures ?? 0;
    try {
      await this.verify(url);
      const now = this.clock.now();
      await this.#update(host, { verifiedAt: now, checkAt: nextCheckAt(this.clock), failures: 0, problem: null });
      if (failures >= FAILURES_TO_STOP) {
        this.log.info('A tracking host is in use again', { url, workspaceId: workspaceId.toHexString() });
      }
    } catch (error) {
      if (!(error instanceof AppError && error.code === UNREACHABLE)) throw error;
      const checkAt = this.clock.in(failures + 1 < FAILURES_TO_STOP ? RECHECK_MS : FAILING_RECHECK_MS);
      await this.#update(host, { checkAt, failures: failures + 1, problem: error.message });
      if (failures + 1 === FAILURES_TO_STOP) {
        this.log.warn('A tracking host fails its checks: new emails use the address of the platform', {
          url,
          workspaceId: workspaceId.toHexString(),
          problem: error.message,
        });
      }
    }
  }

  /** Changes nothing when the host was set again meanwhile, also to the same URL. */
  async #update(
    { _id, workspaceId, url, verifiedAt }: TrackingHostRecord,
    fields: Partial<TrackingHostRecord>,
  ): Promise<void> {
    await this.hosts.updateOne({ _id, workspaceId, url, verifiedAt }, { $set: fields });
  }

  async #store(
    workspace: WorkspaceScope,
    host: Omit<TrackingHostRecord, '_id' | 'workspaceId' | 'createdAt'>,
  ): Promise<void> {
    const { workspaceId } = workspace;
    const before = await this.hosts
      .findOneAndUpdate({ workspaceId }, { $set: host }, { upsert: true, returnDocument: 'before' })
      .lean<TrackingHostRecord>();
    if (before?.url !== host.url) await this.#audit(workspace, before?.url ?? null, host.url);
  }

  async #audit(workspace: WorkspaceScope, from: string | null, to: string | null): Promise<void> {
    await this.audit.record(workspace, {
      action: 'workspace.tracking_host_changed',
      target: { type: 'workspace', id: workspace.workspaceId },
      changes: { trackingHost: { from, to } },
    });
  }

  /** Requires https, as one-click unsubscribe does (RFC 8058), unless the installation itself has none. */
  #parseOrigin(text: string): string {
    const url = new URL(text);
    const schemes = this.config.publicUrl.startsWith('http:') ? ['https:', 'http:'] : ['https:'];
    if (!schemes.includes(url.protocol)) throw invalidField('url', 'url must begin with https://');
    if (`${url.origin}/` !== url.href) throw invalidField('url', 'url must be a scheme and a host, without a path');
    return url.origin;
  }
}
