import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Types } from 'mongoose';
import { conflict } from '@platform/errors';
import { CampaignMailboxesService } from './campaign-mailboxes.service';
import { pickDefined, scheduleWith, verificationWith } from './campaign-settings-merge';
import { requireMove } from './campaign-status';
import { getVerification } from './campaign-verification';
import { CampaignWriterRepository } from './campaign-writer.repository';
import { CampaignsService } from './campaigns.service';
import { type CampaignResponse } from './dto/campaign.dto';
import { type UpdateCampaignRequest } from './dto/campaign-requests.dto';
import { type CampaignRecord } from './schemas/campaign.record';
import { placedByOrder } from './sequence-draft';
import { SequenceVersionService } from './sequence-version.service';

const DAILY_LIMITS = ['dailyLimit', 'newLeadsPerDay', 'domainDailyLimit'] as const;

/** Changing a campaign. */
@Injectable()
export class CampaignUpdateService {
  constructor(
    private readonly writer: CampaignWriterRepository,
    private readonly senders: CampaignMailboxesService,
    private readonly publication: SequenceVersionService,
    private readonly shown: CampaignsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Changes what is given and leaves the rest; a sequence is published as a new version. What an active campaign has on its
   * way is sent, unless its mailbox is taken out: then it is held back before this returns.
   * @throws NOT_FOUND, CONFLICT for an archived campaign and for an active one that would have no mailbox left,
   *   VALIDATION_ERROR naming mailboxes, times and steps that are wrong
   */
  async update(workspace: WorkspaceScope, campaignId: string, input: UpdateCampaignRequest): Promise<CampaignResponse> {
    const { before, after } = await this.transactions.run(async () => {
      const before = await this.writer.find(workspace, campaignId);
      requireMove('change', before.status);
      const settings = this.#settings(before, input);
      const wanted = {
        ...settings,
        ...this.#limits(before, settings),
        ...(await this.#mailboxes(workspace, before, input)),
      };
      const changes = different(before, { ...wanted, ...(await this.#sequence(workspace, before, input)) });
      const after = await this.writer.write(workspace, before, changes, 'campaign.updated');
      if (changes.mailboxes) await this.senders.assign(workspace, before._id, changes.mailboxes);
      return { before, after };
    });
    await this.writer.notify(workspace, before, after);
    return this.shown.shown(workspace, after);
  }

  #settings(before: CampaignRecord, input: UpdateCampaignRequest): Partial<CampaignRecord> {
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

  /** What was sent before a daily limit held, or before its day was another zone's, was not counted: it is now. */
  #limits(before: CampaignRecord, settings: Partial<CampaignRecord>): Partial<CampaignRecord> {
    const after = DAILY_LIMITS.map((limit) => (limit in settings ? settings[limit] : before[limit]) ?? null);
    const isOn = DAILY_LIMITS.some((limit, at) => before[limit] === null && after[at] !== null);
    const isLimited = after.some((max) => max !== null);
    const { timezone } = settings.sendingSchedule ?? before.sendingSchedule;
    const isMoved = timezone !== before.sendingSchedule.timezone;
    return isOn || (isLimited && isMoved) ? { limitsSince: this.clock.now() } : {};
  }

  async #mailboxes(
    workspace: WorkspaceScope,
    before: CampaignRecord,
    { mailboxes }: UpdateCampaignRequest,
  ): Promise<Partial<CampaignRecord>> {
    if (mailboxes === undefined) return {};
    if (before.status === 'active' && mailboxes.length === 0) {
      throw conflict('This campaign is active; it needs a mailbox to send from. Pause it first');
    }
    const held = await this.senders.lockMailboxes(workspace, mailboxes);
    const former = await this.senders.former(workspace, before, formerMailboxes(before, held));
    return { mailboxes: held, formerMailboxes: former };
  }

  async #sequence(
    workspace: WorkspaceScope,
    before: CampaignRecord,
    { sequence }: UpdateCampaignRequest,
  ): Promise<Partial<CampaignRecord>> {
    if (sequence === undefined) return {};
    const published = (await this.publication.published(before))?.steps ?? [];
    const steps = await this.publication.checked(before, placedByOrder(sequence, published), sequence);
    if (sameSteps(steps, published)) return {};
    return { sequenceVersion: await this.publication.publish(workspace, before, steps) };
  }
}

function different(before: CampaignRecord, wanted: Partial<CampaignRecord>): Partial<CampaignRecord> {
  const others = Object.entries(wanted).filter(
    ([field, value]) => !isDeepStrictEqual(plain(before[field as keyof CampaignRecord]), plain(value)),
  );
  return Object.fromEntries(others) as Partial<CampaignRecord>;
}

/** Those that it had once and has no longer. */
function formerMailboxes({ formerMailboxes, mailboxes }: CampaignRecord, held: readonly Types.ObjectId[]) {
  const had = new Map([...formerMailboxes, ...mailboxes].map((id) => [id.toHexString(), id]));
  for (const id of held) had.delete(id.toHexString());
  return [...had.values()];
}

function sameSteps(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

/** Ids and dates as text: two that are the same are not the same object. */
/** A setting that an older campaign lacks is as one that is null. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown;
}
