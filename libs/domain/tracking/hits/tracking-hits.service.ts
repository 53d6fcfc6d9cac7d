import { SendReadRepository, type TrackedSend } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Batcher } from '@platform/concurrency';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { mongo, type Model } from 'mongoose';
import { type HitKind, TrackingHitRecord } from '../schemas/tracking-hit.record';
import { NO_SEND, TrackingTokenService } from '../tracking-token.service';
import { PIXEL_EXTENSION } from '../tracking-urls';
import { HitBudget } from './hit-budget';
import { RecentHitCache } from './recent-hit-cache';
import { type Client, getClient, digest, type Visitor } from './visitor';

interface Arrival {
  readonly kind: HitKind;
  readonly link: number | null;
  readonly client: Client;
  readonly at: Date;
}

/** A record, and whether its email has as many as it may have. */
interface Arrived {
  readonly hit: TrackingHitRecord;
  readonly isFull: boolean;
}

/** Records together what one client does again within this time. */
const BUCKET_MS = 10_000;
/** How long after that the verdict waits for what else the client does: whoever follows every link does so by then. */
const WAIT_MS = 10_000;
const MOST_AT_ONCE = 200;

/**
 * What opens and clicks. Requests that come at the same time share a look at their sends, and a write: a hit is stored
 * before it is answered, and costs little. Tokens that are false take the way of those whose send is gone.
 */
@Injectable()
export class TrackingHitsService {
  readonly #looks = new Batcher<string, TrackedSend | null>((ids) => this.#look(ids), MOST_AT_ONCE);
  readonly #writes = new Batcher<Arrived, void>((arrived) => this.#write(arrived), MOST_AT_ONCE);
  readonly #stored = new RecentHitCache();
  readonly #allowance = new HitBudget();

  constructor(
    @InjectModel(TrackingHitRecord.name) private readonly hits: Model<TrackingHitRecord>,
    private readonly sends: SendReadRepository,
    private readonly tokens: TrackingTokenService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** The pixel was loaded. Never fails: an image is shown whatever happens here. */
  async open(token: string, visitor: Visitor): Promise<void> {
    const ended = token.endsWith(PIXEL_EXTENSION) ? token.slice(0, -PIXEL_EXTENSION.length) : token;
    await this.#unseen(this.#arrive('open', this.tokens.read('open', ended), visitor));
  }

  /** The link that no person sees was followed. Never fails. */
  async honeypot(token: string, visitor: Visitor): Promise<void> {
    await this.#unseen(this.#arrive('honeypot', this.tokens.read('honeypot', token), visitor));
  }

  /**
   * A link was followed. @returns where it leads, an http or https URL in ASCII; null for a token that is none, or of a
   * send or a link that there is not
   * @throws whatever keeps the database from being read
   */
  async click(token: string, visitor: Visitor): Promise<string | null> {
    return this.#arrive('click', this.tokens.read('click', token), visitor);
  }

  /** @returns where the link leads */
  async #arrive(
    kind: HitKind,
    ids: { sendId: string; link?: number } | null,
    visitor: Visitor,
  ): Promise<string | null> {
    const { sendId, link = null } = ids ?? { sendId: NO_SEND };
    const arrival = { kind, link, client: getClient(visitor), at: this.clock.now() };
    const send = await this.#looks.run(sendId);
    const target = link === null ? null : targetOf(send?.links[link]);
    if (!send || (kind === 'click' && target === null)) return null;
    // Whoever follows a link gets there, also when that could not be noted.
    await this.#unseen(this.#writes.run({ hit: hitOf(arrival, send), isFull: isFull(send) }));
    return target;
  }

  async #unseen(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.log.error('A hit was lost', error);
    }
  }

  async #look(ids: readonly string[]): Promise<(TrackedSend | null)[]> {
    const sends = await this.sends.findTracked([...new Set(ids)]);
    return ids.map((id) => sends.get(id) ?? null);
  }

  async #write(arrived: readonly Arrived[]): Promise<void[]> {
    const full = new Set(arrived.filter((one) => one.isFull).map(({ hit }) => hit._id));
    const hits = joined(arrived.map(({ hit }) => hit)).filter(
      // The same again is no new record.
      (hit) => this.#stored.has(hit) || this.#allowance.tryConsume(hit, full.has(hit._id)),
    );
    if (hits.length > 0) await this.#store(hits);
    return arrived.map(() => undefined);
  }

  async #store(hits: readonly TrackingHitRecord[]): Promise<void> {
    try {
      // An insert costs half of an upsert, and most hits are the first of their record.
      await this.hits.bulkWrite(
        hits.map((hit) => (this.#stored.has(hit) ? upsertOf(hit) : insertOf(hit))),
        { ordered: false },
      );
    } catch (error) {
      // Another process has made the same record: there it is.
      const failed = lateOnes(error);
      const late = hits.filter((_hit, at) => failed.has(at));
      if (late.length === 0) throw error;
      await this.hits.bulkWrite(late.map(upsertOf), { ordered: false });
    }
    for (const hit of hits) this.#stored.add(hit);
  }
}

/** One record for what is the same. */
function joined(arrived: readonly TrackingHitRecord[]): TrackingHitRecord[] {
  const hits = new Map<string, TrackingHitRecord>();
  for (const hit of arrived) {
    const same = hits.get(hit._id);
    if (!same) hits.set(hit._id, hit);
    else {
      same.count += hit.count;
      if (hit.lastAt > same.lastAt) same.lastAt = hit.lastAt;
    }
  }
  return [...hits.values()];
}

function hitOf({ kind, link, client, at }: Arrival, send: TrackedSend): TrackingHitRecord {
  const bucket = Math.floor(at.getTime() / BUCKET_MS);
  const sendId = send._id.toHexString();
  const same = [kind, link ?? '', client.client, client.head, client.ahead, bucket];
  return {
    _id: `${sendId}:${digest(same.join(' '))}`,
    workspaceId: send.workspaceId,
    sendId: send._id,
    kind,
    link,
    ...client,
    count: 1,
    firstAt: at,
    lastAt: at,
    judgeAt: new Date((bucket + 1) * BUCKET_MS + WAIT_MS),
    verdict: null,
    rule: null,
  };
}

function isFull({ hitsFullAt }: TrackedSend): boolean {
  return hitsFullAt !== undefined;
}

function insertOf(document: TrackingHitRecord) {
  return { insertOne: { document } };
}

function upsertOf({ _id, workspaceId, count, lastAt, ...fields }: TrackingHitRecord) {
  return {
    updateOne: {
      filter: { _id, workspaceId },
      update: { $setOnInsert: fields, $inc: { count }, $max: { lastAt } },
      upsert: true,
    },
  };
}

/** Places of the writes that failed because of a duplicate key; none when anything else failed, too. */
function lateOnes(error: unknown): ReadonlySet<number> {
  if (!(error instanceof mongo.MongoBulkWriteError)) return new Set();
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return new Set(failures.every(({ code }) => code === 11_000) ? failures.map(({ index }) => index) : []);
}

/** As a browser would write it; nothing but http and https is ever stored, and nothing else is ever answered. */
function targetOf(link: string | undefined): string | null {
  const url = link === undefined ? null : URL.parse(link);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
