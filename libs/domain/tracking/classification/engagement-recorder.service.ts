import { systemScope } from '@domain/access';
import { CampaignCountersService, type CampaignCount, CampaignRepository } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { LeadRepository } from '@domain/leads';
import { MailboxFiguresService } from '@domain/mailboxes';
import { ReturnedSendsRepository, type SendRecord, SendTrackingRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';
import { aboutSend, sendData } from '../send-event';
import { type Engagement, type EngagementSighting } from './engagement';

type What = 'opened' | 'clicked';

/** Counts what was seen of an email, each thing once for it, and tells of what people did. */
@Injectable()
export class EngagementRecorderService {
  constructor(
    private readonly sends: SendTrackingRepository,
    private readonly returned: ReturnedSendsRepository,
    private readonly leads: LeadRepository,
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersService,
    private readonly figures: MailboxFiguresService,
    private readonly events: EventsService,
  ) {}

  /** Joins the running transaction, in which the verdicts are written. Nothing is counted for a campaign that is gone. */
  async record(send: SendRecord, seen: Engagement): Promise<void> {
    if (Object.keys(seen).length === 0) return;
    // Whoever opens it has got it, whatever its server did not say.
    if (send.state === 'ambiguous' || send.state === 'wire') await this.returned.proven(send);
    if (!(await this.campaigns.peek(send.workspaceId, send.campaignId))) return;
    const stats: NonNullable<CampaignCount['stats']> = {};
    const steps: { opened?: number; clicked?: number } = {};
    for (const what of ['opened', 'clicked'] as const) {
      const sight = seen[what];
      const isFirst = sight && (await this.#byPerson(send, what, sight));
      if (isFirst === undefined || isFirst === null) continue;
      steps[what] = 1;
      if (isFirst) stats[what] = 1;
    }
    if (seen.machineOpened && (await this.sends.mark(send, 'machineOpenedAt', seen.machineOpened.at))) {
      stats.machineOpened = 1;
    }
    if (seen.machineClicked && (await this.sends.mark(send, 'machineClickedAt', seen.machineClicked.at))) {
      stats.machineClicked = 1;
    }
    const count = { stats, steps: { [send.stepId.toHexString()]: steps } };
    await this.counters.count(send.workspaceId, send.campaignId, send.mailboxId, count);
  }

  /** Whether it was the lead's first time; null when it counts no more: known of this email, or the lead is gone. */
  async #byPerson(send: SendRecord, what: What, sight: EngagementSighting): Promise<boolean | null> {
    const { at } = sight;
    if (!(await this.sends.mark(send, `${what}At`, at))) return null;
    const { workspaceId } = send;
    if (!(await this.leads.find(workspaceId, send.leadId))) return null;
    const firstOfLead = await this.leads.markFirst({ _id: send.leadId, workspaceId }, `${what}At`, at);
    await this.events.record(systemScope(workspaceId.toHexString()), told(send, what, sight, firstOfLead));
    await this.#mailbox(send, what, at);
    return firstOfLead;
  }

  /** Of a mailbox that was deleted nothing is counted any more. */
  async #mailbox({ workspaceId, mailboxId }: SendRecord, what: What, at: Date): Promise<void> {
    try {
      const workspace = { workspaceId: workspaceId.toHexString() };
      await this.figures.count(workspace, mailboxId.toHexString(), { [what]: 1 }, at);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}

function told(send: SendRecord, what: What, { at, link, rule }: EngagementSighting, firstOfLead: boolean): NewEvent {
  const url = link === null ? null : (send.links[link] ?? null);
  return {
    type: `email.${what}`,
    dedupeKey: `email.${what}:${send._id.toHexString()}`,
    about: aboutSend(send),
    data: { ...sendData(send), firstOfLead, rule, link, url },
    at,
  };
}
