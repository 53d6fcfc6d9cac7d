import { MailboxRepository, SentSignatureRegistry } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { type Counterpart } from '../../schemas/warmup-thread.record';
import { borderAddress } from './border-address';
import { headerFields } from './header-fields';
import { SentOriginRegistry } from './sent-origin.registry';

/** What servers write on a mail is known only where it is received: tells those who look after its sender. */
@Injectable()
export class WarmupTracesService {
  constructor(
    private readonly mailboxes: MailboxRepository,
    private readonly signatures: SentSignatureRegistry,
    private readonly origins: SentOriginRegistry,
  ) {}

  /** What the sender's domain signs its mail with (DKIM), and from which address it sends. */
  async notifyOrigins({ workspaceId, mailboxId }: Counterpart, raw: Buffer): Promise<void> {
    const address = (await this.mailboxes.addresses([mailboxId])).get(mailboxId.toHexString());
    if (address === undefined) return;
    const workspace = { workspaceId: workspaceId.toHexString() };
    await this.signatures.record(workspace, address, headerFields(raw, 'DKIM-Signature'));
    const origin = borderAddress(raw);
    if (origin) await this.origins.seen(workspace.workspaceId, mailboxId.toHexString(), origin);
  }
}
