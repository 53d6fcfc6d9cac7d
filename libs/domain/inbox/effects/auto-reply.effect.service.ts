import { LeadStops } from '@domain/leads';
import { ReturnedSends } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { type Incoming, type KnownMatch } from '../intake/incoming';
import { type IntakeTask } from '../intake/intake.tasks';
import { type Judged } from '../intake/judged';
import { InboxTally } from './inbox.tally.service';
import { resumesAt } from './return.day';

/** What an automatic answer means for its lead: never that somebody answered. Joins the running transaction. */
@Injectable()
export class AutoReplyEffect {
  constructor(
    private readonly stops: LeadStops,
    private readonly sends: ReturnedSends,
    private readonly tally: InboxTally,
  ) {}

  /** @returns what has to follow outside of the transaction */
  async apply(
    { message, mail }: Incoming,
    match: KnownMatch,
    { isOutOfOffice, returnsOn, rule }: Extract<Judged, { kind: 'auto_reply' }>,
  ): Promise<IntakeTask[]> {
    const { lead, campaign, send } = match;
    const at = message.receivedAt;
    if (send) await this.sends.proven(send);
    const resumeAt = isOutOfOffice ? resumesAt(at, returnsOn, campaign.sendingSchedule) : null;
    const isNew = await this.tally.tell(match, {
      type: 'email.auto_replied',
      dedupeKey: `email.auto_replied:${lead._id.toHexString()}:${message.fingerprint}`,
      at,
      data: {
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
    await this.stops.write(
      lead.workspaceId.toHexString(),
      { leadIds: [leadId] },
      { reason: 'auto_replied', status: 'paused', resumeAt },
    );
    return [{ do: 'withhold', leadId, reason: 'auto_replied' }];
  }
}
