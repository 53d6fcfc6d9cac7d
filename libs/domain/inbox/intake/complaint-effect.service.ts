import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { type Incoming } from './incoming';
import { type KnownMatch } from '../match/match';
import { type IntakeTask } from './intake-tasks';
import { emailData } from '../effects/lead-event-data';
import { InboxGatheringService } from '../effects/inbox-gathering.service';

/** What it means that somebody has called an email spam. Joins the running transaction. */
@Injectable()
export class ComplaintEffectService {
  constructor(
    private readonly sends: SendReadRepository,
    private readonly gathering: InboxGatheringService,
  ) {}

  /** @returns what has to follow outside of the transaction */
  async apply({ message, judged: { rule } }: Incoming, match: KnownMatch): Promise<IntakeTask[]> {
    const { lead, send } = match;
    const leadId = lead._id.toHexString();
    const sendId = send?._id.toHexString() ?? null;
    const at = message.receivedAt;
    if (send) {
      await this.sends.markProven(send);
      await this.sends.recordReturn(send, { verdict: 'complaint', rule, diagnostic: null, at });
    }
    await this.gathering.queueEvent(match, {
      type: 'email.complained',
      dedupeKey: `email.complained:${sendId ?? leadId}`,
      at,
      data: { ...emailData(match), rule },
      figure: 'complained',
    });
    await this.gathering.stop(lead, { reason: 'complained' });
    return [
      { do: 'withhold', leadId, reason: 'complained' },
      { do: 'suppress', address: lead.email, source: 'complaint', sendId, reason: 'The email was reported as spam' },
    ];
  }
}
