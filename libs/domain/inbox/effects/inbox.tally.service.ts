import { CampaignCounters, type CampaignFigure } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { MailboxFigures } from '@domain/mailboxes';
import { systemScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';
import { type KnownMatch } from '../intake/incoming';
import { aboutOf, emailData } from './happening';

/** What happened to a lead's email, and as what it counts. */
export interface Happening {
  readonly type: NewEvent['type'];
  /** Names the happening, so that a second report of it changes nothing. */
  readonly dedupeKey: string;
  readonly at: Date;
  readonly data?: Record<string, unknown>;
  /** Of the campaign. */
  readonly figure?: CampaignFigure;
  /** Of the step as well. */
  readonly ofStep?: 'bounced';
  /** Of the mailbox and its day. */
  readonly ofMailbox?: 'replied' | 'bounced';
}

/** Tells and counts what mail says about leads. Joins the running transaction. */
@Injectable()
export class InboxTally {
  constructor(
    private readonly events: EventsService,
    private readonly counters: CampaignCounters,
    private readonly figures: MailboxFigures,
  ) {}

  /** @returns false when it had been told before: then nothing is counted */
  async tell(match: KnownMatch, happening: Happening): Promise<boolean> {
    const { type, dedupeKey, at, data = {} } = happening;
    const { workspaceId } = match.lead;
    const workspace = systemScope(workspaceId.toHexString());
    const about = aboutOf(match);
    const isNew = await this.events.record(workspace, {
      type,
      dedupeKey,
      at,
      about,
      data: { ...emailData(match), ...data },
    });
    if (isNew) await this.#count(match, happening, about.mailboxId ?? null);
    return isNew;
  }

  async #count(
    { lead, send }: KnownMatch,
    { figure, ofStep, ofMailbox, at }: Happening,
    mailboxId: string | null,
  ): Promise<void> {
    const { workspaceId, campaignId } = lead;
    await this.counters.count(workspaceId, campaignId, mailboxId, {
      ...(figure && { stats: { [figure]: 1 } }),
      ...(ofStep && send && { steps: { [send.stepId.toHexString()]: { [ofStep]: 1 } } }),
    });
    if (ofMailbox && mailboxId !== null) await this.#countMailbox(workspaceId.toHexString(), mailboxId, ofMailbox, at);
  }

  /** A mailbox that is gone has no figures any more. */
  async #countMailbox(workspaceId: string, mailboxId: string, figure: 'replied' | 'bounced', at: Date): Promise<void> {
    try {
      await this.figures.count({ workspaceId }, mailboxId, { [figure]: 1 }, at);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}
