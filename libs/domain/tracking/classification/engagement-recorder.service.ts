import { systemScope } from '@domain/access';
import { CampaignCountersService, type CampaignCount, CampaignRepository } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { LeadRepository } from '@domain/leads';
import { MailboxFiguresService } from '@domain/mailboxes';
import { SendReadRepository, type SendRecord } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';
import { aboutSend, sendData } from '../send-event';
import { type Engagement, type EngagementSighting } from './engagement';

type Action = 'opened' | 'clicked';

/** Counts opens and clicks of an email, each once, and writes events for those by people. */
@Injectable()
export class EngagementRecorderService {
  constructor(
    private readonly sends: SendReadRepository,
    private readonly leads: LeadRepository,
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersService,
    private readonly figures: MailboxFiguresService,
    private readonly events: EventsService,
  ) {}

  /** Joins the running transaction, in which the verdicts are written. A deleted campaign counts nothing. */
  async record(send: SendRecord, engagement: Engagement): Promise<void> {
    if (Object.keys(engagement).length === 0) return;
    // An open proves the delivery, also where the mail server gave no answer.
    if (send.state === 'ambiguous' || send.state === 'sending') await this.sends.markProven(send);
    if (!(await this.campaigns.peek(send.workspaceId, send.campaignId))) return;
    const stats: NonNullable<CampaignCount['stats']> = {};
    const steps: { opened?: number; clicked?: number } = {};
    for (const action of ['opened', 'clicked'] as const) {
      const sighting = engagement[action];
      const isFirst = sighting && (await this.#recordFirst(send, action, sighting));
      if (isFirst === undefined || isFirst === null) continue;
      steps[action] = 1;
      if (isFirst) stats[action] = 1;
    }
    if (engagement.machineOpened && (await this.sends.mark(send, 'machineOpenedAt', engagement.machineOpened.at))) {
      stats.machineOpened = 1;
    }
    if (engagement.machineClicked && (await this.sends.mark(send, 'machineClickedAt', engagement.machineClicked.at))) {
      stats.machineClicked = 1;
    }
    const count = { stats, steps: { [send.stepId.toHexString()]: steps } };
    await this.counters.count(send.workspaceId, send.campaignId, send.mailboxId, count);
  }

  /** Returns whether it is the lead's first; null when it does not count: a repetition, or a deleted lead. */
  async #recordFirst(send: SendRecord, action: Action, sighting: EngagementSighting): Promise<boolean | null> {
    const { at } = sighting;
    if (!(await this.sends.mark(send, `${action}At`, at))) return null;
    const { workspaceId } = send;
    if (!(await this.leads.find(workspaceId, send.leadId))) return null;
    const firstOfLead = await this.leads.markFirst({ _id: send.leadId, workspaceId }, `${action}At`, at);
    await this.events.record(systemScope(workspaceId.toHexString()), toEvent(send, action, sighting, firstOfLead));
    await this.#countForMailbox(send, action, at);
    return firstOfLead;
  }

  /** A deleted mailbox counts nothing. */
  async #countForMailbox({ workspaceId, mailboxId }: SendRecord, action: Action, at: Date): Promise<void> {
    try {
      const workspace = { workspaceId: workspaceId.toHexString() };
      await this.figures.count(workspace, mailboxId.toHexString(), { [action]: 1 }, at);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}

function toEvent(
  send: SendRecord,
  action: Action,
  { at, link, rule }: EngagementSighting,
  firstOfLead: boolean,
): NewEvent {
  const url = link === null ? null : (send.links[link] ?? null);
  return {
    type: `email.${action}`,
    dedupeKey: `email.${action}:${send._id.toHexString()}`,
    about: aboutSend(send),
    data: { ...sendData(send), firstOfLead, rule, link, url },
    at,
  };
}
