import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse, WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, PageService, parseId, searchFilter, TransactionService, writeConflict } from '@platform/database';
import { conflict } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { auditedChanges, auditTarget } from './campaign-audit';
import { CampaignCountersService, createEmptySums } from './campaign-counters.service';
import { CAMPAIGN_SETTINGS, DEFAULT_SCHEDULE, DEFAULT_SETTINGS } from './campaign-defaults';
import { CAMPAIGN_HOOKS } from './campaign-hooks';
import { CampaignMailboxesService } from './campaign-mailboxes.service';
import { pickDefined, scheduleWith, verificationWith } from './campaign-settings-merge';
import { requireMove } from './campaign-status';
import { DEFAULT_VERIFICATION, getVerification } from './campaign-verification';
import { CampaignRepository } from './campaign.repository';
import {
  type CampaignQuery,
  type CreateCampaignRequest,
  type UpdateCampaignRequest,
} from './dto/campaign-requests.dto';
import { type CampaignSettingsResponse, toCampaignSettings } from './dto/campaign-settings.dto';
import { type CampaignListItem, type CampaignResponse, toCampaign, toCampaignListItem } from './dto/campaign.dto';
import { type SequenceStep } from './schemas/campaign-sequence.record';
import { CampaignRecord } from './schemas/campaign.record';
import { placedByOrder } from './sequence-draft';
import { SequenceVersionService } from './sequence-version.service';

export interface NewCampaign {
  name: string;
  settings: Partial<CampaignRecord>;
  /** Ids of mailboxes, which have to exist. */
  mailboxes: readonly string[];
  /** Checked steps; may be empty. */
  steps: SequenceStep[];
}

const MAX_NAME_LENGTH = 200;

const DAILY_LIMITS = ['dailyLimit', 'newLeadsPerDay', 'domainDailyLimit'] as const;

/** How long erasure repeats after a deletion; no worker that has read the campaign still writes after this time. */
const REMEMBERED_MS = 3_600_000;

type Deleted = Pick<CampaignRecord, '_id' | 'workspaceId' | 'deletedAt' | 'startedAt'>;

/** Creates, reads, changes, duplicates and deletes campaigns for the API, and erases the data of deleted ones. */
@Injectable()
export class CampaignsService {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly records: Model<CampaignRecord>,
    private readonly counters: CampaignCountersService,
    private readonly pages: PageService,
    private readonly mailboxes: CampaignMailboxesService,
    private readonly versions: SequenceVersionService,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly campaigns: CampaignRepository,
    private readonly clock: ClockPort,
    private readonly hooks: HookRegistry,
  ) {}

  /** Lists campaigns, newest first. `search` matches the name. */
  async list(workspace: WorkspaceScope, query: CampaignQuery): Promise<Page<CampaignListItem>> {
    const { workspaceId } = workspace;
    const { status, mailboxId, search, limit, cursor } = query;
    const filter = {
      workspaceId,
      deletedAt: null,
      ...(status === undefined ? {} : { status }),
      // A malformed mailbox id matches no campaign.
      ...(mailboxId === undefined ? {} : { mailboxes: parseId(mailboxId) ?? { $in: [] } }),
      ...searchFilter(search, ['name']),
    };
    const page = await this.pages.read(
      this.records,
      { scope: workspaceId, filter, page: { limit, cursor } },
      (record) => record,
    );
    const ids = page.items.map(({ _id }) => _id);
    const sums = await this.counters.sum(workspaceId, ids);
    const steps = await this.versions.findSteps(workspace, page.items);
    const items = page.items.map((record) => {
      const id = record._id.toHexString();
      return toCampaignListItem(record, steps.get(id) ?? [], sums.get(id) ?? createEmptySums());
    });
    return { items, pagination: page.pagination };
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, campaignId: string): Promise<CampaignResponse> {
    return this.show(workspace, await this.campaigns.find(workspace, campaignId));
  }

  /** @throws NOT_FOUND */
  async settings(workspace: WorkspaceScope, campaignId: string): Promise<CampaignSettingsResponse> {
    return toCampaignSettings(await this.campaigns.find(workspace, campaignId));
  }

  /** Converts a stored campaign to its API response. */
  async show(workspace: WorkspaceScope, record: CampaignRecord): Promise<CampaignResponse> {
    const id = record._id.toHexString();
    const sums = await this.counters.sum(workspace.workspaceId, [id]);
    const steps = await this.versions.findSteps(workspace, [record]);
    return toCampaign(record, steps.get(id) ?? [], sums.get(id) ?? createEmptySums());
  }

  /** @throws VALIDATION_ERROR naming mailboxes, times and steps that are wrong, LIMIT_EXCEEDED (maxCampaigns) */
  async create(workspace: WorkspaceScope, input: CreateCampaignRequest): Promise<CampaignResponse> {
    const { name, mailboxes = [], sequence = [], sendingSchedule } = input;
    const settings = {
      ...pickDefined(input),
      sendingSchedule: scheduleWith(DEFAULT_SCHEDULE, sendingSchedule),
      ...(input.verification && { verification: verificationWith(DEFAULT_VERIFICATION, input.verification) }),
    };
    const none = toUnpublished(workspace, new Types.ObjectId());
    const steps = sequence.length === 0 ? [] : await this.versions.check(none, sequence);
    return this.show(workspace, await this.insert(workspace, { name, settings, mailboxes, steps }));
  }

  /** Stores a draft with its shares and its sequence. @throws as `create` */
  async insert(workspace: WorkspaceScope, { name, settings, mailboxes, steps }: NewCampaign): Promise<CampaignRecord> {
    const { workspaceId, actor } = workspace;
    const _id = new Types.ObjectId();
    return this.transactions.run(async () => {
      // Claims the workspace: of two concurrent creations of the last allowed campaign, one runs again.
      const { ownerId } = await this.limits.claim(workspaceId);
      const existing = await this.records.countDocuments({ workspaceId, deletedAt: null });
      await this.limits.ensureRoom(workspace, 'maxCampaigns', existing);
      const mailboxIds = await this.mailboxes.lockMailboxes(workspace, mailboxes);
      const sequenceVersion =
        steps.length === 0 ? 0 : await this.versions.publish(workspace, toUnpublished(workspace, _id), steps);
      const created = await this.records.create({
        ...DEFAULT_SETTINGS,
        sendingSchedule: DEFAULT_SCHEDULE,
        ...settings,
        _id,
        workspaceId,
        // A campaign that a workspace key or the operator creates belongs to the workspace's owner.
        userId: actor.userId === null ? ownerId : new Types.ObjectId(actor.userId),
        name,
        mailboxes: mailboxIds,
        sequenceVersion,
      });
      await this.mailboxes.assign(workspace, _id, mailboxIds);
      const record = created.toObject<CampaignRecord>();
      const changes = auditedChanges(null, record);
      await this.audit.record(workspace, { action: 'campaign.created', target: auditTarget(_id), changes });
      return record;
    });
  }

  /**
   * Creates a draft with the settings, the mailboxes and the published sequence of a campaign, without leads and figures. Its
   * steps have ids of their own.
   * @throws NOT_FOUND, LIMIT_EXCEEDED (maxCampaigns)
   */
  async duplicate(workspace: WorkspaceScope, campaignId: string): Promise<CampaignResponse> {
    const record = await this.transactions.run(async () => {
      const original = await this.campaigns.find(workspace, campaignId);
      const published = await this.versions.findPublished(original);
      const steps = (published?.steps ?? []).map((step) => ({
        ...step,
        _id: new Types.ObjectId(),
        variants: step.variants.map((variant) => ({ ...variant, _id: new Types.ObjectId() })),
      }));
      return this.insert(workspace, {
        name: getCopyName(original.name),
        settings: getSettings(original),
        mailboxes: original.mailboxes.map((id) => id.toHexString()),
        steps,
      });
    });
    return this.show(workspace, record);
  }

  /**
   * The campaign disappears from the API at once and no longer counts for limits; the worker erases its leads and versions.
   * @throws NOT_FOUND, CONFLICT for an active campaign
   */
  async delete(workspace: WorkspaceScope, campaignId: string): Promise<MessageResponse> {
    await this.transactions.run(async () => {
      const { _id, workspaceId, name, status, revision } = await this.campaigns.find(workspace, campaignId);
      requireMove('delete', status);
      const { matchedCount } = await this.records.updateOne(
        { _id, workspaceId, revision, deletedAt: null },
        { $set: { deletedAt: this.clock.now(), erasing: true }, $inc: { revision: 1 } },
      );
      if (matchedCount === 0) throw writeConflict('The campaign');
      await this.mailboxes.erase(workspace, _id);
      const changes = { name: { from: name, to: null } };
      await this.audit.record(workspace, { action: 'campaign.deleted', target: auditTarget(_id), changes });
    });
    return { message: 'Campaign deleted' };
  }

  /**
   * Changes the given fields only; a sequence is published as a new version. Claimed sends of an active campaign continue,
   * except those of a removed mailbox: they are withheld before this returns.
   * @throws NOT_FOUND, CONFLICT for an archived campaign and for an active one that would have no mailbox left,
   *   VALIDATION_ERROR naming mailboxes, times and steps that are wrong
   */
  async update(workspace: WorkspaceScope, campaignId: string, input: UpdateCampaignRequest): Promise<CampaignResponse> {
    const { before, after } = await this.transactions.run(async () => {
      const before = await this.campaigns.find(workspace, campaignId);
      requireMove('change', before.status);
      const settings = this.#getSettingChanges(before, input);
      const checkedChanges = {
        ...settings,
        ...this.#getLimitChanges(before, settings),
        ...(await this.#getMailboxChanges(workspace, before, input)),
      };
      const changes = getChanges(before, {
        ...checkedChanges,
        ...(await this.#publishChanges(workspace, before, input)),
      });
      const after = await this.campaigns.write(workspace, before, changes, 'campaign.updated');
      if (changes.mailboxes) await this.mailboxes.assign(workspace, before._id, changes.mailboxes);
      return { before, after };
    });
    await this.campaigns.notify(workspace, before, after);
    return this.show(workspace, after);
  }

  /**
   * Erases the data of deleted campaigns: leads, versions and figures; the next run continues an interrupted one. An hour after the deletion it is done
   * for the last time, and a campaign that never started goes with it. Of another one the record stays, for its name.
   */
  async eraseDeleted(signal: AbortSignal): Promise<void> {
    const forgottenBy = new Date(this.clock.now().getTime() - REMEMBERED_MS);
    const deleted = this.records
      .find({ erasing: true, deletedAt: { $gt: new Date(0) } }, { workspaceId: 1, deletedAt: 1, startedAt: 1 })
      .setOptions({ allWorkspaces: 'the worker erases the deleted campaigns of all workspaces' })
      .sort({ deletedAt: 1 })
      .lean<Deleted[]>()
      .cursor();
    for await (const campaign of deleted as AsyncIterable<Deleted>) {
      signal.throwIfAborted();
      await this.#erase(campaign, signal);
      if (campaign.deletedAt && campaign.deletedAt <= forgottenBy) await this.#forget(campaign);
    }
  }

  #getSettingChanges(before: CampaignRecord, input: UpdateCampaignRequest): Partial<CampaignRecord> {
    const { name, sendingSchedule, verification } = input;
    return {
      ...pickDefined(input),
      ...(name === undefined ? {} : { name }),
      ...(sendingSchedule === undefined
        ? {}
        : { sendingSchedule: scheduleWith(before.sendingSchedule, sendingSchedule) }),
      ...(verification && { verification: verificationWith(getVerification(before), verification) }),
    };
  }

  /** A new daily limit, or a limit in a new zone, must count earlier sends of the day. */
  #getLimitChanges(before: CampaignRecord, settings: Partial<CampaignRecord>): Partial<CampaignRecord> {
    const after = DAILY_LIMITS.map((limit) => (limit in settings ? settings[limit] : before[limit]) ?? null);
    const isOn = DAILY_LIMITS.some((limit, at) => before[limit] === null && after[at] !== null);
    const isLimited = after.some((max) => max !== null);
    const { timezone } = settings.sendingSchedule ?? before.sendingSchedule;
    const hasNewZone = timezone !== before.sendingSchedule.timezone;
    return isOn || (isLimited && hasNewZone) ? { limitsSince: this.clock.now() } : {};
  }

  async #getMailboxChanges(
    workspace: WorkspaceScope,
    before: CampaignRecord,
    { mailboxes }: UpdateCampaignRequest,
  ): Promise<Partial<CampaignRecord>> {
    if (mailboxes === undefined) return {};
    if (before.status === 'active' && mailboxes.length === 0) {
      throw conflict('This campaign is active; it needs a mailbox to send from. Pause it first');
    }
    const mailboxIds = await this.mailboxes.lockMailboxes(workspace, mailboxes);
    const former = await this.mailboxes.listFormer(workspace, before, listFormerMailboxes(before, mailboxIds));
    return { mailboxes: mailboxIds, formerMailboxes: former };
  }

  async #publishChanges(
    workspace: WorkspaceScope,
    before: CampaignRecord,
    { sequence }: UpdateCampaignRequest,
  ): Promise<Partial<CampaignRecord>> {
    if (sequence === undefined) return {};
    const published = (await this.versions.findPublished(before))?.steps ?? [];
    const steps = await this.versions.check(before, placedByOrder(sequence, published), sequence);
    if (hasSameSteps(steps, published)) return {};
    return { sequenceVersion: await this.versions.publish(workspace, before, steps) };
  }

  async #erase({ _id, workspaceId }: Deleted, signal: AbortSignal): Promise<void> {
    const workspace = { workspaceId: workspaceId.toHexString() };
    await this.hooks.call(CAMPAIGN_HOOKS, 'eraseCampaign', workspace, _id.toHexString(), signal);
    await this.versions.erase(workspace, _id);
    await this.mailboxes.erase(workspace, _id);
  }

  async #forget({ _id, workspaceId, startedAt }: Deleted): Promise<void> {
    if (startedAt === null) await this.records.deleteOne({ _id, workspaceId });
    else await this.records.updateOne({ _id, workspaceId }, { $set: { erasing: false } }, { timestamps: false });
  }
}

function toUnpublished({ workspaceId }: WorkspaceScope, _id: Types.ObjectId) {
  return { _id, workspaceId: new Types.ObjectId(workspaceId), sequenceVersion: 0 };
}

function getSettings(original: CampaignRecord): Partial<CampaignRecord> {
  const settings = Object.fromEntries(CAMPAIGN_SETTINGS.map((name) => [name, original[name]]));
  const { sendingSchedule } = original;
  return { ...(settings as Partial<CampaignRecord>), sendingSchedule, verification: getVerification(original) };
}

function getCopyName(name: string): string {
  // A name is cut between characters, not inside of one.
  return Array.from(`Copy of ${name}`).reduce(
    (text, char) => (text.length + char.length > MAX_NAME_LENGTH ? text : text + char),
    '',
  );
}

function getChanges(before: CampaignRecord, after: Partial<CampaignRecord>): Partial<CampaignRecord> {
  const others = Object.entries(after).filter(
    ([field, value]) => !isDeepStrictEqual(toPlain(before[field as keyof CampaignRecord]), toPlain(value)),
  );
  return Object.fromEntries(others) as Partial<CampaignRecord>;
}

/** Lists the mailboxes that the campaign no longer uses. */
function listFormerMailboxes({ formerMailboxes, mailboxes }: CampaignRecord, mailboxIds: readonly Types.ObjectId[]) {
  const had = new Map([...formerMailboxes, ...mailboxes].map((id) => [id.toHexString(), id]));
  for (const id of mailboxIds) had.delete(id.toHexString());
  return [...had.values()];
}

function hasSameSteps(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(toPlain(one), toPlain(other));
}

/** Ids and dates as text, because equal values are different objects. Missing and null settings are equal. */
function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown;
}
