import { type WorkspaceScope } from '@domain/access';
import { MailError } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { type MailboxResponse } from '../dto/mailbox.dto';
import { type ConnectServiceAccountRequest } from '../dto/service-account.dto';
import { MailboxInsertionService } from '../mailbox-insertion.service';
import { mailboxCheckFailed } from '../mailboxes.errors';
import { MailboxesService } from '../mailboxes.service';
import { MailboxGrantService } from './mailbox-grant.service';
import { MailboxGrantProofService, type VerifiedGrant } from './mailbox-grant-proof.service';
import { parseServiceAccountKey } from './service-account-key';

/** Connecting mailboxes of a Google Workspace domain whose administrator trusts a service account. */
@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly insertion: MailboxInsertionService,
    private readonly proof: MailboxGrantProofService,
    private readonly grants: MailboxGrantService,
    private readonly mailboxes: MailboxesService,
  ) {}

  /**
   * Opens the mailbox with the key and stores both; with `mailboxId` that mailbox gets the key, its settings stay.
   * @throws VALIDATION_ERROR for a key that cannot be used, CONFLICT for an address that is connected, LIMIT_EXCEEDED,
   *   NOT_FOUND, MAILBOX_CHECK_FAILED with the words of Google
   */
  async connectServiceAccount(workspace: WorkspaceScope, input: ConnectServiceAccountRequest): Promise<MailboxResponse> {
    const { email, serviceAccountKey: given, mailboxId, ...settings } = input;
    const key = parseServiceAccountKey(given);
    if (mailboxId === undefined) await this.insertion.checkLimit(workspace, email);
    else await this.mailboxes.get(workspace, mailboxId);
    const { addresses, seal } = await this.#verifyServiceAccount(() => this.proof.verifyServiceAccount(email, key));
    const grant = { provider: 'google', addresses, seal, mailboxId: mailboxId ?? null, settings } as const;
    return this.mailboxes.notifyAndGet(workspace, await this.grants.save(workspace, grant));
  }

  /** Google refusing the key, or not answering, is a failed check like a refused password. */
  async #verifyServiceAccount(prove: () => Promise<VerifiedGrant>): Promise<VerifiedGrant> {
    try {
      return await prove();
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const said = error.words ? ` (Google said: ${error.words.response})` : '';
      throw mailboxCheckFailed([{ field: 'serviceAccountKey', message: `${error.message}${said}` }]);
    }
  }
}
