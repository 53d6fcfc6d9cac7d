import { type WorkspaceScope } from '@domain/access';
import { MailSessionPool } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { validationFailed } from '@platform/errors';
import { Types } from 'mongoose';
import { type CreateMailboxRequest } from './dto/mailbox-requests.dto';
import { type MailboxResponse } from './dto/mailbox.dto';
import { MailboxAccountService } from './mailbox-account.service';
import { toCheckError, getSecrets, verifyNow } from './mailbox-check';
import { MailboxInsertionService } from './mailbox-insertion.service';
import { omitUndefined } from './omit-undefined';
import { listPortRefusals } from './mailbox-ports';
import { toNewServers, toServerFields } from './mailbox-servers';
import { MailboxesService } from './mailboxes.service';

/** Connecting a mailbox by its servers and passwords. */
@Injectable()
export class MailboxCreationService {
  constructor(
    private readonly insertion: MailboxInsertionService,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly mailboxes: MailboxesService,
    private readonly config: Config,
  ) {}

  /**
   * Logs in to both servers and stores the mailbox when both let us in; otherwise nothing is stored.
   * @throws CONFLICT for an address that is connected, LIMIT_EXCEEDED, VALIDATION_ERROR for a host or port that this
   *   installation does not connect to, MAILBOX_CHECK_FAILED saying which half failed, why, and the server's words
   */
  async create(workspace: WorkspaceScope, input: CreateMailboxRequest): Promise<MailboxResponse> {
    const { email, displayName, signature, tags, dailySendLimit, sendGapSeconds, timezone, sendingEnabled } = input;
    const { smtp, imap } = toNewServers(input);
    const shut = listPortRefusals({ smtp: smtp.port, imap: imap.port }, this.config);
    if (shut.length > 0) throw validationFailed(shut);
    await this.insertion.checkLimit(workspace, email);
    const _id = new Types.ObjectId();
    const account = this.accounts.toDraftAccount({ id: _id.toHexString(), email, smtp, imap });
    const check = await this.sessions.once(account, verifyNow);
    const refusal = toCheckError(check, getSecrets([smtp, imap]));
    if (refusal) throw refusal;
    const record = await this.insertion.insert(workspace, {
      ...omitUndefined({ displayName, signature, tags, dailySendLimit, sendGapSeconds, timezone, sendingEnabled }),
      ...toServerFields({ smtp, imap }),
      _id,
      email,
      provider: 'custom',
      connectionType: 'smtp',
      smtpCredentials: this.accounts.sealServer(workspace.workspaceId, _id, 'smtp', smtp),
      imapCredentials: this.accounts.sealServer(workspace.workspaceId, _id, 'imap', imap),
    });
    return this.mailboxes.toResponse(workspace, record);
  }
}
