import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type IdLike } from './campaign-counters.service';
import { type CampaignRecord } from './schemas/campaign.record';
import { CampaignSequenceRecord } from './schemas/campaign-sequence.record';
import { PublishedSequence } from './published-sequence';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Characters of all versions that are kept, about twice as many bytes. */
const MAX_KEPT = 16_000_000;

/** Published versions of sequences, for those who send them. A version never changes, so the last used ones are kept. */
@Injectable()
export class SequencesService {
  /** The one used longest ago comes first. */
  readonly #kept = new Map<string, PublishedSequence>();
  #size = 0;

  constructor(@InjectModel(CampaignSequenceRecord.name) private readonly sequences: Model<CampaignSequenceRecord>) {}

  /** What the campaign sends now; null while it has no sequence. */
  async current({
    workspaceId,
    _id,
    sequenceVersion,
  }: Pick<CampaignRecord, '_id' | 'workspaceId' | 'sequenceVersion'>): Promise<PublishedSequence | null> {
    if (sequenceVersion === 0) return null;
    return this.version({ workspaceId: workspaceId.toHexString() }, _id, sequenceVersion);
  }

  /** @throws NOT_FOUND for a version that was never published */
  async version({ workspaceId }: Workspace, campaignId: IdLike, version: number): Promise<PublishedSequence> {
    const key = `${workspaceId}:${String(campaignId)}:${version}`;
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const record = await this.sequences.findOne({ workspaceId, campaignId, version }).lean<CampaignSequenceRecord>();
    if (!record) throw notFound('Sequence version');
    return this.#keep(key, new PublishedSequence(record));
  }

  /** The places, from 0, of these steps in the latest versions that have them, by id. */
  async placesOf(
    { workspaceId, _id }: Pick<CampaignRecord, '_id' | 'workspaceId'>,
    stepIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const places = new Map<string, number>();
    if (stepIds.length === 0) return places;
    const versions = await this.sequences
      .find({ workspaceId, campaignId: _id, 'steps._id': { $in: stepIds } }, { 'steps._id': 1, 'steps.order': 1 })
      .sort({ version: 1 })
      .lean<Pick<CampaignSequenceRecord, 'steps'>[]>();
    // Later versions have the last word.
    for (const step of versions.flatMap(({ steps }) => steps)) places.set(step._id.toHexString(), step.order);
    return places;
  }

  #keep(key: string, sequence: PublishedSequence): PublishedSequence {
    const twin = this.#kept.get(key); // two asked for it at once
    if (twin) return twin;
    this.#kept.set(key, sequence);
    this.#size += sequence.size;
    for (const [oldest, { size }] of this.#kept) {
      if (this.#size <= MAX_KEPT || oldest === key) break;
      this.#kept.delete(oldest);
      this.#size -= size;
    }
    return sequence;
  }
}
