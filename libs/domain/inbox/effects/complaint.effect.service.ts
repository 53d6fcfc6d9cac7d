import { LeadStops } from '@domain/leads';
import { ReturnedSends } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { type Incoming, type KnownMatch } from '../intake/incoming';
import { type IntakeTask } from '../intake/intake.tasks';
import { InboxTally } from './inbox.tally.service';

/** What it means that somebody has called an email spam. Joins the running transaction. */
@Injectable()
export class ComplaintEffect {
  constructor(
    private readonly stops: LeadStops,
    private readonly sends: ReturnedSends,
    private readonly tally: InboxTally,
  ) {}

  /** @returns what has to follow outside of the transaction */
  async apply({ message, judged: { rule } }: Incoming, match: KnownMatch): Promise<IntakeTask[]> {
    const { lead, send } = match;
    const leadId = lead._id.toHexString();
    const sendId = send?._id.toHexString() ?? null;
    const at = message.receivedAt;
    if (send) {
      await this.sends.proven(send);
      await this.sends.cameBack(send, { verdict: 'complaint', rule, diagnostic: null, at });
    }
    await this.tally.tell(match, {
      type: 'email.complained',
      dedupeKey: `email.complained:${sendId ?? leadId}`,
      at,
      data: { rule },
      figure: 'complained',
    });
    await this.stops.write(lead.workspaceId.toHexString(), { leadIds: [leadId] }, { reason: 'complained' });
    return [
      { do: 'withhold', leadId, reason: 'complained' },
      { do: 'suppress', address: lead.email, source: 'complaint', sendId, reason: 'The email was reported as spam' },
    ];
  }
}
