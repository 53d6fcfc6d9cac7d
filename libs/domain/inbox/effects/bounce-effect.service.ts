import { LeadRepository } from '@domain/leads';
import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '@platform/validation';
import { type FailedRecipient } from '../intake/classified-message';
import { type Incoming } from '../intake/incoming';
import { type IntakeTask } from '../intake/intake-tasks';
import { type KnownMatch } from '../match/match';
import { getEmailData } from './lead-event-data';
import { LeadEventRecorderService } from './lead-event-recorder.service';
import { areHard } from './soft-bounces';

type HardReason = 'bounced_hard' | 'bounced_soft_limit';

const NO_DIAGNOSTIC = 'The email bounced: the address does not exist';

/** Effects of bounces on leads. Joins the running transaction. */
@Injectable()
export class BounceEffectService {
  constructor(
    private readonly leads: LeadRepository,
    private readonly sends: SendReadRepository,
    private readonly recorder: LeadEventRecorderService,
  ) {}

  /** @returns the tasks to perform after the transaction */
  async apply({ message }: Incoming, match: KnownMatch, failed: FailedRecipient): Promise<IntakeTask[]> {
    const { lead, send } = match;
    const at = message.receivedAt;
    const verdict = getVerdictFor(lead.email, failed);
    const { rule, diagnostic } = failed;
    if (send) {
      await this.sends.markProven(send);
      await this.sends.recordReturn(send, { verdict, rule, diagnostic, at });
    }
    if (verdict === 'hard') return this.#applyHard(match, failed, 'bounced_hard', at);
    if (verdict !== 'soft') return [];
    const isHardNow = areHard(await this.leads.recordSoftBounce(lead, at));
    return isHardNow ? this.#applyHard(match, failed, 'bounced_soft_limit', at) : [];
  }

  /**
   * Suppresses the address of a deleted lead after a hard bounce: other campaigns must not write to it. Nothing is counted.
   * @returns the tasks to perform after the transaction
   */
  async applyToFormerLead({ former, message }: Incoming, failed: FailedRecipient): Promise<IntakeTask[]> {
    if (!former) return [];
    const { rule, diagnostic } = failed;
    const verdict = getVerdictFor(former.email, failed);
    await this.sends.recordReturn(former, { verdict, rule, diagnostic, at: message.receivedAt });
    if (verdict !== 'hard') return [];
    const reason = diagnostic ?? NO_DIAGNOSTIC;
    return [{ do: 'suppress', address: former.email, source: 'bounce', sendId: former._id.toHexString(), reason }];
  }

  async #applyHard(
    match: KnownMatch,
    { rule, diagnostic, code, enhancedCode }: FailedRecipient,
    reason: HardReason,
    at: Date,
  ): Promise<IntakeTask[]> {
    const { lead, send } = match;
    const leadId = lead._id.toHexString();
    const softLimit = reason === 'bounced_soft_limit';
    await this.recorder.record(match, {
      type: 'email.bounced',
      dedupeKey: `email.bounced:${send?._id.toHexString() ?? leadId}`,
      at,
      data: {
        ...getEmailData(match),
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
    await this.recorder.stop(lead, { reason });
    return [
      { do: 'withhold', leadId, reason },
      {
        do: 'suppress',
        address: lead.email,
        source: 'bounce',
        sendId: send?._id.toHexString() ?? null,
        reason: diagnostic ?? NO_DIAGNOSTIC,
      },
    ];
  }
}

/**
 * Returns the verdict on the address that was written to. A hard bounce of another address is soft: forwarding to a dead
 * address only shows that this email did not arrive.
 */
function getVerdictFor(email: string, { address, verdict }: FailedRecipient): FailedRecipient['verdict'] {
  if (verdict !== 'hard' || address === null) return verdict;
  const parsed = parseEmailAddress(address);
  return parsed.ok && parsed.address === email ? 'hard' : 'soft';
}
