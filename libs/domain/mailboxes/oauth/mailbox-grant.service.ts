import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { EventsService } from '@domain/events';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { writeConflict, TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { type MailboxPreferences } from '../dto/mailbox-requests.dto';
import { getAuditedMailboxChanges, toMailboxTarget } from '../mailbox-audit';
import { createConnection, isDown } from '../mailbox-connection';
import { MailboxCreationService } from '../mailbox-creation.service';
import { requireMailbox } from '../mailbox-lookup';
import { getMailboxStatus } from '../mailbox-status';
import { addressTaken } from '../mailboxes.errors';
import { toReconnectedEvent } from '../mailbox-connection.service';
import { oauthFailure } from '../mailbox-oauth.errors';
import { MailboxRecord } from '../schemas/mailbox.record';
import { type SealCredentials } from './oauth-credentials';
import { type OAuthProviderName } from './oauth-providers';

/** A verified grant. */
export interface GrantInput {
  readonly provider: OAuthProviderName;
  /** Addresses of the mailbox, in lower case; the first one becomes its address. */
  readonly addresses: readonly string[];
  readonly seal: SealCredentials;
  /** The mailbox that the grant must belong to; null for any. */
  readonly mailboxId: string | null;
  /** Settings of a new mailbox. */
  readonly settings: Partial<MailboxPreferences>;
}

/** Stores a verified grant, as a new mailbox or on an existing one. */
@Injectable()
export class MailboxGrantService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly insertion: MailboxCreationService,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Connects the address as a new mailbox, or authorises an existing mailbox of the same provider again. One
   * transaction; joins a running one.
   * @throws CONFLICT for an address that is connected in another way, LIMIT_EXCEEDED, OAUTH_WRONG_ACCOUNT, NOT_FOUND
   */
  async save(workspace: WorkspaceScope, grant: GrantInput): Promise<MailboxRecord> {
    return this.transactions.run(async () => {
      // Orders concurrent consents for one address; a deleted workspace is refused.
      await this.limits.claim(workspace.workspaceId);
      const found = await this.#findTarget(workspace, grant);
      return found ? this.#authorise(workspace, found, grant) : this.#create(workspace, grant);
    });
  }

  async #findTarget(workspace: WorkspaceScope, { provider, addresses, mailboxId }: GrantInput) {
    if (mailboxId !== null) {
      const mailbox = await requireMailbox(this.mailboxes, workspace, mailboxId);
      if (mailbox.provider !== provider) throw conflict(`The mailbox is not one of ${provider}`);
      if (addresses.includes(mailbox.email)) return mailbox;
      throw oauthFailure('wrongAccount', `Consent was given for ${addresses[0]}; the mailbox is ${mailbox.email}`);
    }
    const { workspaceId } = workspace;
    const known = await this.mailboxes.find({ workspaceId, email: { $in: [...addresses] } }).lean<MailboxRecord[]>();
    const foreign = known.find((mailbox) => mailbox.provider !== provider);
    if (foreign) throw addressTaken(foreign.email);
    return addresses.map((address) => known.find(({ email }) => email === address)).find(Boolean) ?? null;
  }

  #create(workspace: WorkspaceScope, { provider, addresses: [email], seal, settings }: GrantInput) {
    if (email === undefined) throw new TypeError('A grant without an address cannot be stored');
    const _id = new Types.ObjectId();
    const oauthCredentials = { ...seal(workspace.workspaceId, _id), version: 0 };
    return this.insertion.insert(workspace, {
      ...settings,
      _id,
      email,
      provider,
      connectionType: 'oauth',
      oauthCredentials,
    });
  }

  /** The revision grows: outcomes of the old credentials say nothing about the new ones. */
  async #authorise(workspace: WorkspaceScope, before: MailboxRecord, { seal }: GrantInput): Promise<MailboxRecord> {
    const { _id, workspaceId, pausedAt, credentialsRevision, connection } = before;
    const version = before.oauthCredentials?.version ?? 0;
    const after = await this.mailboxes
      .findOneAndUpdate(
        { _id, workspaceId, pausedAt, credentialsRevision, 'oauthCredentials.version': version },
        {
          $set: {
            oauthCredentials: { ...seal(workspaceId, _id), version: version + 1 },
            connection: createConnection(this.clock.now()),
            status: getMailboxStatus(pausedAt !== null, 'connected'),
            lastError: null,
          },
          $inc: { credentialsRevision: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean<MailboxRecord>();
    if (!after) throw writeConflict('The mailbox');
    const changes = getAuditedMailboxChanges(before, after);
    await this.audit.record(workspace, { action: 'mailbox.reauthorised', target: toMailboxTarget(_id), changes });
    if (isDown(connection.state))
      await this.events.record(workspace, toReconnectedEvent(_id, before.email, connection.since));
    return after;
  }
}
