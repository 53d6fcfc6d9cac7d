import { LeadRepository } from '@domain/leads';
import { ReturnedSendsRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '@platform/validation';
import { type Incoming } from '../intake/incoming';
import { type KnownMatch } from '../match/match';
import { type IntakeTask } from '../intake/intake-tasks';
import { type FailedRecipient } from '../intake/classified-message';
import { emailData } from './lead-event-data';
import { InboxGatheringService } from './inbox-gathering.service';
import { areHard } from './soft-bounces';

type HardReason = 'bounced_hard' | 'bounced_soft_limit';

/** What a bounce means for the lead that it is about. Joins the running transaction. */
@Injectable()
export class BounceEffectService {
  constructor(
    private readonly leads: LeadRepository,
    private readonly sends: ReturnedSendsRepository,
    private readonly gathering: InboxGatheringService,
  ) {}

  /** @returns what has to follow outside of the transaction */
  async apply({ message }: Incoming, match: KnownMatch, failed: FailedRecipient): Promise<IntakeTask[]> {
    const { lead, send } = match;
    const at = message.receivedAt;
    const verdict = verdictFor(lead.email, failed);
    const { rule, diagnostic } = failed;
    if (send) {
      await this.sends.proven(send);
      await this.sends.recordReturn(send, { verdict, rule, diagnostic, at });
    }
    if (verdict === 'hard') return this.#hard(match, failed, 'bounced_hard', at);
    if (verdict !== 'soft') return [];
    const isHardNow = areHard(await this.leads.recordSoftBounce(lead, at));
    return isHardNow ? this.#hard(match, failed, 'bounced_soft_limit', at) : [];
  }

  async #hard(
    match: KnownMatch,
    { rule, diagnostic, code, enhancedCode }: FailedRecipient,
    reason: HardReason,
    at: Date,
  ): Promise<IntakeTask[]> {
    const { lead, send } = match;
    const leadId = lead._id.toHexString();
    const softLimit = reason === 'bounced_soft_limit';
    await this.gathering.queueEvent(match, {
      type: 'email.bounced',
      dedupeKey: `email.bounced:${send?._id.toHexString() ?? leadId}`,
      at,
      data: {
        ...emailData(match),
        verdict: softLimit ? 'soft' : 'hard',
        reason: diagnostic,
        code,
        enhancedCode,
        rule,
        inSession: false,
        softLimit,
      },
      figure: 'bounced',
      ofStep: 'bounced',
      ofMailbox: 'bounced',
    });
    await this.gathering.stop(lead, { reason });
    return [
      { do: 'withhold', leadId, reason },
      {
        do: 'suppress',
        address: lead.email,
        source: 'bounce',
        sendId: send?._id.toHexString() ?? null,
        reason: diagnostic ?? 'The email came back: nobody is at the address',
      },
    ];
  }
}

/**
 * Who forwards mail to an address that is gone is at an address that is not: a hard bounce of somebody else says no more than
 * that this email did not arrive.
 */
export function verdictFor(email: string, { address, verdict }: FailedRecipient): FailedRecipient['verdict'] {
  if (verdict !== 'hard' || address === null) return verdict;
  const parsed = parseEmailAddress(address);
  return parsed.ok && parsed.address === email ? 'hard' : 'soft';
}
