import { systemScope } from '@domain/access';
import { type SendRecord, SendReadRepository } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { NO_SEND, TrackingTokenService } from '../tracking-token.service';
import { OptOutRecordsService, type OptOutWay } from './opt-out-records.service';

/** Who does not want to hear from whom. */
export interface OptOut {
  readonly email: string;
  /** The domain that wrote, in A-labels. */
  readonly sender: string;
}

/** For the ledger, and for people who read the list. */
const REASONS: Readonly<Record<OptOutWay, string>> = {
  page: 'Unsubscribed on the page that the email links to',
  one_click: 'Unsubscribed by the mail program, in one click',
  reply: 'Asked for it in an answer',
};

/** Unsubscribing by the link of an email. */
@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly tokens: TrackingTokenService,
    private readonly sends: SendReadRepository,
    private readonly suppressions: SuppressionsService,
    private readonly records: OptOutRecordsService,
    private readonly workspaces: WorkspaceRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Whom the token would unsubscribe. Changes nothing: scanners follow links. null for one that names no email. */
  async peek(token: string): Promise<OptOut | null> {
    const send = await this.#send(token);
    return send && optOutOf(send);
  }

  /**
   * Unsubscribes the recipient of that email, and returns when nothing more is sent to the address by the workspace. The
   * same again is without effect, and finishes what an interrupted one has begun. null for a token that names no email.
   */
  async unsubscribe(token: string, way: OptOutWay): Promise<OptOut | null> {
    const send = await this.#send(token);
    if (!send) return null;
    const workspace = systemScope(send.workspaceId.toHexString());
    const given = { addresses: [send.email], reason: REASONS[way] };
    const origin = { source: 'unsubscribe', sendId: send._id.toHexString() } as const;
    const at = this.clock.now();
    await this.transactions.run(async () => {
      await this.suppressions.record(workspace, given, origin);
      await this.records.write(send, way, at);
    });
    // What is on its way is held back only when everybody can see the suppression.
    await this.suppressions.add(workspace, given, origin);
    return optOutOf(send);
  }

  /** A workspace that was deleted may come back, and its opt-outs with it; one that is being erased keeps nothing more. */
  async #send(token: string): Promise<SendRecord | null> {
    const send = await this.sends.findById(this.tokens.read('unsubscribe', token)?.sendId ?? NO_SEND);
    return send && ((await this.workspaces.isMember(send.workspaceId.toHexString())) ? send : null);
  }
}

function optOutOf({ email, messageId }: SendRecord): OptOut {
  return { email, sender: messageId.slice(messageId.lastIndexOf('@') + 1, -1) };
}
