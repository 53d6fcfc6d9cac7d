import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId, rerunOnWriteConflict } from '@platform/database';
import { conflict, notFound, validationFailed } from '@platform/errors';
import { type Model } from 'mongoose';
import { type IdLike } from './campaign-counters.service';
import { type StepRequest } from './dto/sequence-requests.dto';
import { PublishedSequence } from './published-sequence';
import { CampaignSequenceRecord, type SequenceStep } from './schemas/campaign-sequence.record';
import { type CampaignRecord } from './schemas/campaign.record';
import { draftSequence, type KnownIds } from './sequence-draft';
import { sequenceErrors } from './sequence-rules';
import { removedSteps } from './sequence-steps';

type Campaign = Pick<CampaignRecord, '_id' | 'workspaceId' | 'sequenceVersion'>;

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Maximum characters of all cached versions, about twice as many bytes. */
const MAX_CACHED_CHARACTERS = 16_000_000;

/** Checks, stores, reads and caches versions of sequences. The caller of `publish` writes `sequenceVersion` in the same transaction. */
@Injectable()
export class SequenceVersionService {
  /** In order of last use, oldest first. */
  readonly #cache = new Map<string, PublishedSequence>();
  #cachedCharacters = 0;

  constructor(@InjectModel(CampaignSequenceRecord.name) private readonly sequences: Model<CampaignSequenceRecord>) {}

  /** The published version; null before the first. */
  async findPublished({ _id, workspaceId, sequenceVersion }: Campaign): Promise<CampaignSequenceRecord | null> {
    if (sequenceVersion === 0) return null;
    return this.sequences
      .findOne({ workspaceId, campaignId: _id, version: sequenceVersion })
      .orFail()
      .lean<CampaignSequenceRecord>();
  }

  /** Returns the published steps of these campaigns by campaign id. */
  async findSteps(
    { workspaceId }: Workspace,
    records: readonly CampaignRecord[],
  ): Promise<Map<string, SequenceStep[]>> {
    const published = records
      .filter(({ sequenceVersion }) => sequenceVersion > 0)
      .map(({ _id, sequenceVersion }) => ({ campaignId: _id, version: sequenceVersion }));
    if (published.length === 0) return new Map();
    const found = await this.sequences.find({ workspaceId, $or: published }).lean<CampaignSequenceRecord[]>();
    return new Map(found.map(({ campaignId, steps }) => [campaignId.toHexString(), steps]));
  }

  /**
   * Converts requested steps to steps that can be published, with their ids.
   * @param sent as the client sent them, before `placedByOrder`: errors are named after it
   * @throws VALIDATION_ERROR naming every field that is wrong
   */
  async check(campaign: Campaign, requests: readonly StepRequest[], sent = requests): Promise<SequenceStep[]> {
    const { steps, errors } = draftSequence(requests, await this.#findKnownIds(campaign));
    const simple = sent.map(({ variants }) => variants === undefined);
    const all = [...errors, ...sequenceErrors(steps, simple)].filter(
      ({ field }, at, others) => others.findIndex((other) => other.field === field) === at,
    );
    if (all.length > 0) throw validationFailed(all);
    return steps;
  }

  /**
   * Stores the steps as the next version.
   * @returns its number
   */
  async publish({ actor }: WorkspaceScope, campaign: Campaign, steps: SequenceStep[]): Promise<number> {
    const { _id: campaignId, workspaceId, sequenceVersion } = campaign;
    const version = sequenceVersion + 1;
    const before = await this.findPublished(campaign);
    const removed = before ? removedSteps(before, steps) : [];
    const createdBy = actor.userId === null ? null : parseId(actor.userId);
    await rerunOnWriteConflict(() =>
      this.sequences.create({ workspaceId, campaignId, version, steps, removed, createdBy }),
    );
    return version;
  }

  /** @throws CONFLICT when it is not the edited version */
  requireBase({ sequenceVersion }: Campaign, basedOn: number | undefined): void {
    if (basedOn === undefined || basedOn === sequenceVersion) return;
    throw conflict(`Version ${sequenceVersion} is published, not ${basedOn}; read it and try again`);
  }

  /** Returns the version that the campaign sends now; null while it has no sequence. */
  async findCurrent({
    workspaceId,
    _id,
    sequenceVersion,
  }: Pick<CampaignRecord, '_id' | 'workspaceId' | 'sequenceVersion'>): Promise<PublishedSequence | null> {
    if (sequenceVersion === 0) return null;
    return this.getVersion({ workspaceId: workspaceId.toHexString() }, _id, sequenceVersion);
  }

  /** @throws NOT_FOUND for a version that was never published */
  async getVersion({ workspaceId }: Workspace, campaignId: IdLike, version: number): Promise<PublishedSequence> {
    const key = `${workspaceId}:${String(campaignId)}:${version}`;
    const known = this.#cache.get(key);
    if (known) {
      this.#cache.delete(key);
      this.#cache.set(key, known);
      return known;
    }
    const record = await this.sequences.findOne({ workspaceId, campaignId, version }).lean<CampaignSequenceRecord>();
    if (!record) throw notFound('Sequence version');
    return this.#addToCache(key, new PublishedSequence(record));
  }

  /** Returns the positions, from 0, of these steps in the latest versions that contain them, by id. */
  async findStepPositions(
    { workspaceId, _id }: Pick<CampaignRecord, '_id' | 'workspaceId'>,
    stepIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const places = new Map<string, number>();
    if (stepIds.length === 0) return places;
    const versions = await this.sequences
      .find({ workspaceId, campaignId: _id, 'steps._id': { $in: stepIds } }, { 'steps._id': 1, 'steps.order': 1 })
      .sort({ version: 1 })
      .lean<Pick<CampaignSequenceRecord, 'steps'>[]>();
    // Later versions override earlier ones.
    for (const step of versions.flatMap(({ steps }) => steps)) places.set(step._id.toHexString(), step.order);
    return places;
  }

  /** Deletes all versions of a deleted campaign. */
  async erase({ workspaceId }: Workspace, campaignId: IdLike): Promise<void> {
    await this.sequences.deleteMany({ workspaceId, campaignId });
  }

  async #findKnownIds({ _id, workspaceId, sequenceVersion }: Campaign): Promise<KnownIds> {
    const known = new Map<string, Set<string>>();
    if (sequenceVersion === 0) return known;
    const ids = { 'steps._id': 1, 'steps.variants._id': 1 };
    const versions = await this.sequences
      .find({ workspaceId, campaignId: _id }, ids)
      .lean<Pick<CampaignSequenceRecord, 'steps'>[]>();
    for (const step of versions.flatMap(({ steps }) => steps)) {
      const id = step._id.toHexString();
      const variants = known.get(id) ?? new Set();
      for (const variant of step.variants) variants.add(variant._id.toHexString());
      known.set(id, variants);
    }
    return known;
  }

  #addToCache(key: string, sequence: PublishedSequence): PublishedSequence {
    const twin = this.#cache.get(key); // concurrent calls have read it twice
    if (twin) return twin;
    this.#cache.set(key, sequence);
    this.#cachedCharacters += sequence.size;
    for (const [oldest, { size }] of this.#cache) {
      if (this.#cachedCharacters <= MAX_CACHED_CHARACTERS || oldest === key) break;
      this.#cache.delete(oldest);
      this.#cachedCharacters -= size;
    }
    return sequence;
  }
}
