import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId, rerunOnWriteConflict } from '@platform/database';
import { conflict, validationFailed } from '@platform/errors';
import { type Model } from 'mongoose';
import { type StepRequest } from './dto/sequence-requests.dto';
import { type CampaignRecord } from './schemas/campaign.record';
import { CampaignSequenceRecord, type SequenceStep } from './schemas/campaign-sequence.record';
import { draftSequence, type KnownIds } from './sequence-draft';
import { sequenceErrors } from './sequence-rules';
import { removedSteps } from './sequence-steps';

type Campaign = Pick<CampaignRecord, '_id' | 'workspaceId' | 'sequenceVersion'>;

/** Checks sequences and stores them as versions. The caller writes `sequenceVersion` in the same transaction. */
@Injectable()
export class SequenceVersionService {
  constructor(@InjectModel(CampaignSequenceRecord.name) private readonly sequences: Model<CampaignSequenceRecord>) {}

  /** The published version; null before the first. */
  async published({ _id, workspaceId, sequenceVersion }: Campaign): Promise<CampaignSequenceRecord | null> {
    if (sequenceVersion === 0) return null;
    return this.sequences
      .findOne({ workspaceId, campaignId: _id, version: sequenceVersion })
      .orFail()
      .lean<CampaignSequenceRecord>();
  }

  /**
   * Steps that may be published, with their ids.
   * @param sent as the client sent them, before `placedByOrder`: errors are named after it
   * @throws VALIDATION_ERROR naming every field that is wrong
   */
  async checked(campaign: Campaign, requests: readonly StepRequest[], sent = requests): Promise<SequenceStep[]> {
    const { steps, errors } = draftSequence(requests, await this.#knownIds(campaign));
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
    const before = await this.published(campaign);
    const removed = before ? removedSteps(before, steps) : [];
    const createdBy = actor.userId === null ? null : parseId(actor.userId);
    await rerunOnWriteConflict(() =>
      this.sequences.create({ workspaceId, campaignId, version, steps, removed, createdBy }),
    );
    return version;
  }

  /** @throws CONFLICT when it is not the version that was edited */
  requireBase({ sequenceVersion }: Campaign, basedOn: number | undefined): void {
    if (basedOn === undefined || basedOn === sequenceVersion) return;
    throw conflict(`Version ${sequenceVersion} is published, not ${basedOn}; read it and try again`);
  }

  async #knownIds({ _id, workspaceId, sequenceVersion }: Campaign): Promise<KnownIds> {
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
}
