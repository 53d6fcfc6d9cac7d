import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { type Incoming } from './incoming';
import { type KnownMatch } from '../match/match';
import { type IntakeTask } from './intake-tasks';
import { type ClassifiedMessage } from './classified-message';
import { emailData } from '../effects/lead-event-data';
import { InboxGatheringService } from '../effects/inbox-gathering.service';
import { resumesAt } from '../effects/out-of-office-resume';

/** What an automatic answer means for its lead: never that somebody answered. Joins the running transaction. */
@Injectable()
export class AutoReplyEffectService {
  constructor(
    private readonly sends: SendReadRepository,
    private readonly gathering: InboxGatheringService,
  ) {}

  /** @returns what has to follow outside of the transaction */
  async apply(
    { message, mail }: Incoming,
    match: KnownMatch,
    { isOutOfOffice, returnsOn, rule }: Extract<ClassifiedMessage, { kind: 'auto_reply' }>,
  ): Promise<IntakeTask[]> {
    const { lead, campaign, send } = match;
    const at = message.receivedAt;
    if (send) await this.sends.markProven(send);
    const resumeAt = isOutOfOffice ? resumesAt(at, returnsOn, campaign.sendingSchedule) : null;
    const isNew = await this.gathering.recordEventNow(match, {
      type: 'email.auto_replied',
      dedupeKey: `email.auto_replied:${lead._id.toHexString()}:${message.fingerprint}`,
      at,
      data: {
        ...emailData(match),
        from: mail.from?.address ?? null,
        rule,
        outOfOffice: isOutOfOffice,
        returnsOn,
        resumesAt: resumeAt?.toISOString() ?? null,
      },
      figure: 'autoReplied',
    });
    if (!resumeAt || !isNew) return [];
    const leadId = lead._id.toHexString();
    await this.gathering.stop(lead, { reason: 'auto_replied', status: 'paused', resumeAt });
    return [{ do: 'withhold', leadId, reason: 'auto_replied' }];
  }
}
