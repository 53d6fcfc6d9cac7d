import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { type Incoming } from '../intake/incoming';
import { type IntakeTask } from '../intake/intake-tasks';
import { type FailedRecipient } from '../intake/classified-message';
import { verdictFor } from './bounce-effect.service';

/**
 * What reports mean for an address that was written to, when its lead went with its campaign: nothing is counted or told of any
 * more, but other campaigns must not write to it either. Joins the running transaction.
 */
@Injectable()
export class FormerEffectService {
  constructor(private readonly sends: SendReadRepository) {}

  /** @returns what has to follow outside of the transaction */
  async bounced({ former, message }: Incoming, failed: FailedRecipient): Promise<IntakeTask[]> {
    if (!former) return [];
    const { rule, diagnostic } = failed;
    const verdict = verdictFor(former.email, failed);
    await this.sends.recordReturn(former, { verdict, rule, diagnostic, at: message.receivedAt });
    if (verdict !== 'hard') return [];
    const reason = diagnostic ?? 'The email came back: nobody is at the address';
    return [{ do: 'suppress', address: former.email, source: 'bounce', sendId: former._id.toHexString(), reason }];
  }

  /** @returns what has to follow outside of the transaction */
  async complained({ former, message, judged: { rule } }: Incoming): Promise<IntakeTask[]> {
    if (!former) return [];
    await this.sends.recordReturn(former, { verdict: 'complaint', rule, diagnostic: null, at: message.receivedAt });
    const reason = 'The email was reported as spam';
    return [{ do: 'suppress', address: former.email, source: 'complaint', sendId: former._id.toHexString(), reason }];
  }
}
