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

/** A record, and whether its email has reached its limit of records. */
interface NewHit {
  readonly hit: TrackingHitRecord;
  readonly isFull: boolean;
}

/** Repetitions of one client within this time share one record. */
const BUCKET_MS = 10_000;
/** Wait before the classification: a scanner has followed every link by then. */
const CLASSIFY_AFTER_MS = 10_000;
const MAX_BATCH = 200;

/**
 * Hits of pixels and links. Simultaneous requests share one read of their sends and one write, so that a hit is stored
 * before its answer at little cost. An invalid token is handled like one whose send is deleted.
 */
@Injectable()
export class TrackingHitsService {
  readonly #sendReads = new Batcher<string, TrackedSend | null>((ids) => this.#readSends(ids), MAX_BATCH);
  readonly #writes = new Batcher<NewHit, void>((arrived) => this.#write(arrived), MAX_BATCH);
  readonly #stored = new RecentHitCache();
  readonly #budget = new HitBudget();

  constructor(
    @InjectModel(TrackingHitRecord.name) private readonly hits: Model<TrackingHitRecord>,
    private readonly sends: SendReadRepository,
    private readonly tokens: TrackingTokenService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Records that the pixel was loaded. Never fails: the image is served in any case. */
  async open(token: string, visitor: Visitor): Promise<void> {
    const signed = token.endsWith(PIXEL_EXTENSION) ? token.slice(0, -PIXEL_EXTENSION.length) : token;
    await this.#logFailure(this.#receive('open', this.tokens.read('open', signed), visitor));
  }

  /** Records that the honeypot link was followed. Never fails. */
  async honeypot(token: string, visitor: Visitor): Promise<void> {
    await this.#logFailure(this.#receive('honeypot', this.tokens.read('honeypot', token), visitor));
  }

  /**
   * Records that a link was followed.
   * @returns its target, an http or https URL in ASCII; null for an invalid token and an unknown send or link
   * @throws when the database cannot be read
   */
  async click(token: string, visitor: Visitor): Promise<string | null> {
    return this.#receive('click', this.tokens.read('click', token), visitor);
  }

  /** @returns the target of the link */
  async #receive(
    kind: HitKind,
    ids: { sendId: string; link?: number } | null,
    visitor: Visitor,
  ): Promise<string | null> {
    const { sendId, link = null } = ids ?? { sendId: NO_SEND };
    const arrival = { kind, link, client: getClient(visitor), at: this.clock.now() };
    const send = await this.#sendReads.run(sendId);
    const target = link === null ? null : parseTarget(send?.links[link]);
    if (!send || (kind === 'click' && target === null)) return null;
    // The redirect works also when the hit cannot be stored.
    await this.#logFailure(this.#writes.run({ hit: toHit(arrival, send), isFull: isFull(send) }));
    return target;
  }

  async #logFailure(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.log.error('A hit was lost', error);
    }
  }

  async #readSends(ids: readonly string[]): Promise<(TrackedSend | null)[]> {
    const sends = await this.sends.findTracked([...new Set(ids)]);
    return ids.map((id) => sends.get(id) ?? null);
  }

  async #write(arrived: readonly NewHit[]): Promise<void[]> {
    const full = new Set(arrived.filter((one) => one.isFull).map(({ hit }) => hit._id));
    const hits = mergeHits(arrived.map(({ hit }) => hit)).filter(
      // A repetition updates its record and needs no budget.
      (hit) => this.#stored.has(hit) || this.#budget.tryConsume(hit, full.has(hit._id)),
    );
    if (hits.length > 0) await this.#store(hits);
    return arrived.map(() => undefined);
  }

  async #store(hits: readonly TrackingHitRecord[]): Promise<void> {
    try {
      // An insert costs half of an upsert, and most hits are the first of their record.
      await this.hits.bulkWrite(
        hits.map((hit) => (this.#stored.has(hit) ? toUpsert(hit) : toInsert(hit))),
        { ordered: false },
      );
    } catch (error) {
      // Another process has created the same record: update that one.
      const failed = listDuplicates(error);
      const late = hits.filter((_hit, at) => failed.has(at));
      if (late.length === 0) throw error;
      await this.hits.bulkWrite(late.map(toUpsert), { ordered: false });
    }
    for (const hit of hits) this.#stored.add(hit);
  }
}

/** Merges hits of the same record. */
function mergeHits(arrived: readonly TrackingHitRecord[]): TrackingHitRecord[] {
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

function toHit({ kind, link, client, at }: Arrival, send: TrackedSend): TrackingHitRecord {
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
    classifyAt: new Date((bucket + 1) * BUCKET_MS + CLASSIFY_AFTER_MS),
    verdict: null,
    rule: null,
  };
}

function isFull({ hitsFullAt }: TrackedSend): boolean {
  return hitsFullAt !== undefined;
}

function toInsert(document: TrackingHitRecord) {
  return { insertOne: { document } };
}

function toUpsert({ _id, workspaceId, count, lastAt, ...fields }: TrackingHitRecord) {
  return {
    updateOne: {
      filter: { _id, workspaceId },
      update: { $setOnInsert: fields, $inc: { count }, $max: { lastAt } },
      upsert: true,
    },
  };
}

/** Lists the indexes of writes that failed with a duplicate key; none when any write failed otherwise. */
function listDuplicates(error: unknown): ReadonlySet<number> {
  if (!(error instanceof mongo.MongoBulkWriteError)) return new Set();
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return new Set(failures.every(({ code }) => code === 11_000) ? failures.map(({ index }) => index) : []);
}

/** Normalises the URL as a browser does; null unless it is http or https. */
function parseTarget(link: string | undefined): string | null {
  const url = link === undefined ? null : URL.parse(link);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
