import { CampaignCountersService } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { MailboxFiguresService } from '@domain/mailboxes';
import { systemScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type KnownMatch } from '../match/match';
import { getAbout, type LeadEventType, type LeadEvent } from './lead-event-data';
import { mailboxCounts, shareCounts } from './counter-sums';

/** Tells and counts what mail says about leads. Joins the running transaction. */
@Injectable()
export class InboxCountersService {
  constructor(
    private readonly events: EventsService,
    private readonly counters: CampaignCountersService,
    private readonly figures: MailboxFiguresService,
  ) {}

  /** @returns false when it had been told before: then nothing is counted */
  async recordEvent(match: KnownMatch, happening: LeadEventType): Promise<boolean> {
    const isNew = await this.record(match, happening);
    if (isNew) await this.#count([{ match, happening }]);
    return isNew;
  }

  /** Tells and counts many in a few writes, each as `tell` does; and counts others that were told already. */
  async recordEvents(happenings: readonly LeadEvent[], others: readonly LeadEvent[]): Promise<void> {
    const fresh: LeadEvent[] = [...others];
    for (const [workspaceId, told] of Map.groupBy(happenings, ({ match }) => match.lead.workspaceId.toHexString())) {
      const areNew = await this.events.recordEach({ workspaceId }, told.map(eventOf));
      fresh.push(...told.filter((_told, at) => areNew[at]));
    }
    await this.#count(fresh);
  }

  /** Tells of it without counting it. @returns false when it had been told before */
  async record(match: KnownMatch, happening: LeadEventType): Promise<boolean> {
    const workspace = systemScope(match.lead.workspaceId.toHexString());
    return this.events.record(workspace, eventOf({ match, happening }));
  }

  async #count(all: readonly LeadEvent[]): Promise<void> {
    for (const [workspaceId, told] of Map.groupBy(all, ({ match }) => match.lead.workspaceId.toHexString())) {
      for (const { campaignId, mailboxId, count } of shareCounts(told)) {
        await this.counters.count(workspaceId, campaignId, mailboxId, count);
      }
      // A mailbox that is gone has no figures any more.
      await this.figures.countAll({ workspaceId }, mailboxCounts(told));
    }
  }
}

function eventOf({ match, happening }: LeadEvent): NewEvent {
  return { ...happening, about: getAbout(match) };
}
