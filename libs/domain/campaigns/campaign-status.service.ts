import { type WorkspaceScope } from '@domain/access';
import { type EventData, EventsService, type NewEvent } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { CampaignMailboxesService } from './campaign-mailboxes.service';
import { requireMove } from './campaign-status';
import { CampaignRepository } from './campaign.repository';
import { CampaignsService } from './campaigns.service';
import { type CampaignResponse } from './dto/campaign.dto';
import { type CampaignProblem, type CampaignRecord } from './schemas/campaign.record';

/** A campaign before and after a change of status; pass it to `notify` after the transaction. */
export interface CampaignStatusChange {
  before: CampaignRecord;
  after: CampaignRecord;
}

type StatusEvent = 'campaign.started' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed';
/** The cause of an automatic pause. */
type StopCause = Omit<EventData<'campaign.paused'>, 'name'>;

/** Changes the status of campaigns. */
@Injectable()
export class CampaignStatusService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly mailboxes: CampaignMailboxesService,
    private readonly events: EventsService,
    private readonly view: CampaignsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Makes a draft, paused or completed campaign active, with event and audit entry; joins a running transaction. Whether it
   * can send was checked before: `revision` is that of the checked campaign.
   * @returns the argument of `notify` after the transaction
   * @throws NOT_FOUND, CONFLICT naming the status, CONFLICT when the campaign was changed since, VALIDATION_ERROR for a
   *   deleted mailbox
   */
  async activate(workspace: WorkspaceScope, campaignId: string, revision?: number): Promise<CampaignStatusChange> {
    return this.transactions.run(async () => {
      const before = await this.campaigns.find(workspace, campaignId);
      const status = requireMove('start', before.status);
      if (revision !== undefined && before.revision !== revision) {
        throw conflict('The campaign was changed concurrently; read it and try again');
      }
      await this.mailboxes.lockMailboxes(
        workspace,
        before.mailboxes.map((id) => id.toHexString()),
      );
      const startedAt = before.startedAt ?? this.clock.now();
      const changes = { status, startedAt, completedAt: null, problem: null };
      const after = await this.campaigns.write(workspace, before, changes, 'campaign.started');
      await this.events.record(workspace, toStatusEvent(after, 'campaign.started'));
      return { before, after };
    });
  }

  /** Applies the side effects of a change of status, after its transaction and before it is acknowledged. */
  async notify(workspace: WorkspaceScope, { before, after }: CampaignStatusChange): Promise<void> {
    await this.campaigns.notify(workspace, before, after);
  }

  /** Nothing that has not reached a mail server is sent after this has returned. @throws NOT_FOUND, CONFLICT naming the status */
  async pause(workspace: WorkspaceScope, campaignId: string): Promise<CampaignResponse> {
    return this.#view(workspace, await this.#move(workspace, campaignId, 'pause'));
  }

  /** Resumes a paused campaign and clears its problem. @throws NOT_FOUND, CONFLICT naming the status, or that it has no mailbox */
  async resume(workspace: WorkspaceScope, campaignId: string): Promise<CampaignResponse> {
    return this.#view(workspace, await this.#move(workspace, campaignId, 'resume', { problem: null }));
  }

  /** Archives a campaign: it can only be read, duplicated and deleted. @throws NOT_FOUND, CONFLICT naming the status */
  async archive(workspace: WorkspaceScope, campaignId: string): Promise<CampaignResponse> {
    return this.#view(workspace, await this.#move(workspace, campaignId, 'archive'));
  }

  /**
   * Pauses an active campaign because of a problem that a person must check; joins a running transaction.
   * @param evidence part of the event
   * @returns the argument of `notify` after the transaction; null when the campaign is not active
   * @throws NOT_FOUND
   */
  async stop(
    workspace: WorkspaceScope,
    campaignId: string,
    { code, message }: Omit<CampaignProblem, 'at'>,
    evidence: StopCause['evidence'] = null,
  ): Promise<CampaignStatusChange | null> {
    const problem = { code, message, at: this.clock.now() };
    return this.transactions.run(async () => {
      const before = await this.campaigns.find(workspace, campaignId);
      if (before.status !== 'active') return null;
      const after = await this.campaigns.write(workspace, before, { status: 'paused', problem }, 'campaign.paused');
      await this.events.record(workspace, toStatusEvent(after, 'campaign.paused', { code, message, evidence }));
      return { before, after };
    });
  }

  /**
   * Completes an active campaign without remaining leads; joins a running transaction.
   * @param leadsRevision that of the campaign which was read before its leads were counted
   * @returns false when it is not active, or when leads have come since
   */
  async complete(workspace: WorkspaceScope, campaignId: string, leadsRevision: number): Promise<boolean> {
    return this.transactions.run(async () => {
      const before = await this.campaigns.find(workspace, campaignId);
      if (before.status !== 'active' || before.leadsRevision !== leadsRevision) return false;
      const formerMailboxes = await this.mailboxes.listFormer(workspace, before, before.formerMailboxes);
      const changes = {
        status: requireMove('complete', before.status),
        completedAt: this.clock.now(),
        ...(formerMailboxes.length < before.formerMailboxes.length && { formerMailboxes }),
      };
      const after = await this.campaigns.write(workspace, before, changes, 'campaign.completed');
      await this.events.record(workspace, toStatusEvent(after, 'campaign.completed'));
      return true;
    });
  }

  async #move(
    workspace: WorkspaceScope,
    campaignId: string,
    move: 'pause' | 'resume' | 'archive',
    more: Partial<CampaignRecord> = {},
  ): Promise<CampaignStatusChange> {
    const change = await this.transactions.run(async () => {
      const before = await this.campaigns.find(workspace, campaignId);
      const status = requireMove(move, before.status);
      if (move === 'resume') await this.#requireSenders(workspace, before);
      const type = `campaign.${move}d` as const;
      const after = await this.campaigns.write(workspace, before, { status, ...more }, type);
      if (type !== 'campaign.archived') await this.events.record(workspace, toStatusEvent(after, type));
      return { before, after };
    });
    await this.notify(workspace, change);
    return change;
  }

  /** Prevents the deletion of the mailboxes while the campaign becomes active. */
  async #requireSenders(workspace: WorkspaceScope, { mailboxes }: CampaignRecord): Promise<void> {
    if (mailboxes.length === 0) throw conflict('This campaign has no mailbox to send from; add one first');
    await this.mailboxes.lockMailboxes(
      workspace,
      mailboxes.map((id) => id.toHexString()),
    );
  }

  async #view(workspace: WorkspaceScope, { after }: CampaignStatusChange): Promise<CampaignResponse> {
    return this.view.show(workspace, after);
  }
}

const BY_PERSON: StopCause = { code: null, message: null, evidence: null };

function toStatusEvent({ _id, name, revision }: CampaignRecord, type: StatusEvent, cause = BY_PERSON): NewEvent {
  const campaignId = _id.toHexString();
  const event = { dedupeKey: `${type}:${campaignId}:${revision}`, about: { campaignId } };
  switch (type) {
    case 'campaign.paused':
      return { ...event, type, data: { name, ...cause } };
    case 'campaign.resumed':
      return { ...event, type, data: { name, reason: null } };
    case 'campaign.started':
    case 'campaign.completed':
      return { ...event, type, data: { name } };
  }
}
