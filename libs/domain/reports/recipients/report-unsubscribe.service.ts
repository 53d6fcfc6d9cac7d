import { createHash } from 'node:crypto';
import { systemScope } from '@domain/access';
import { WorkspaceRepository, WorkspacesService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Config } from '@platform/config';
import { TransactionService } from '@platform/database';
import { TokenSignerService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportRecipientsService } from './report-recipients.service';

/** The address whose reports a link stops, and their sender. */
export interface StoppedReports {
  readonly email: string;
  /** The workspace, for a reader. */
  readonly sender: string;
}

const PURPOSE = 'report-stop';
const ID_BYTES = 12;
/**
 * Bytes of the digest of the address, enough to tell the addresses of a recipient apart. The token is signed as a
 * whole.
 */
const ADDRESS_BYTES = 8;
/** Our tokens have about 70 characters; much longer ones are not decoded. */
const MAX_TOKEN = 200;

/**
 * The unsubscribe link of reports. It never expires: people unsubscribe from old mail. It is bound to the address: a
 * former address of a recipient can neither stop the reports to the current one nor learn about it.
 */
@Injectable()
export class ReportUnsubscribeService {
  readonly #base: string;
  readonly #host: string;

  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    private readonly updates: ReportRecipientsService,
    private readonly workspaces: WorkspaceRepository,
    private readonly names: WorkspacesService,
    private readonly signer: TokenSignerService,
    private readonly transactions: TransactionService,
    config: Config,
  ) {
    const url = new URL(config.publicUrl);
    this.#base = `${url.origin}${url.pathname.replace(/\/+$/, '')}/r/`;
    this.#host = url.host;
  }

  /** Returns the recipient's unsubscribe URL, below the public address and outside of `/v1`. */
  getUrl({ _id, workspaceId, email }: Pick<ReportRecipientRecord, '_id' | 'workspaceId' | 'email'>): string {
    return this.#base + this.signer.sign(PURPOSE, Buffer.concat([_id.id, workspaceId.id, getAddressDigest(email)]));
  }

  /** Returns whose reports the token stops. Changes nothing: scanners follow links. null for an invalid token. */
  async peek(token: string): Promise<StoppedReports | null> {
    const recipient = await this.#findRecipient(token);
    if (!recipient) return null;
    const workspaceId = recipient.workspaceId.toHexString();
    const isAlive = (await this.workspaces.filterAlive([workspaceId])).has(workspaceId);
    const name = isAlive ? (await this.names.get(systemScope(workspaceId))).name : this.#host;
    return { email: recipient.email, sender: `${name} (reports)` };
  }

  /** Deactivates the recipient; after the return no report is started for it. Idempotent. null for an invalid token. */
  async stop(token: string): Promise<StoppedReports | null> {
    const recipient = await this.#findRecipient(token);
    if (!recipient) return null;
    const workspace = systemScope(recipient.workspaceId.toHexString());
    await this.transactions.run(() => this.updates.deactivate(workspace, recipient._id.toHexString()));
    return this.peek(token);
  }

  async #findRecipient(token: string): Promise<ReportRecipientRecord | null> {
    const named = token.length <= MAX_TOKEN ? this.signer.verify(PURPOSE, token) : null;
    if (named?.length !== 2 * ID_BYTES + ADDRESS_BYTES) return null;
    const [_id, workspaceId] = [0, ID_BYTES].map((at) => new Types.ObjectId(named.subarray(at, at + ID_BYTES)));
    const found = await this.recipients.findOne({ _id, workspaceId }).lean<ReportRecipientRecord>();
    if (!found || !getAddressDigest(found.email).equals(named.subarray(2 * ID_BYTES))) return null;
    return (await this.workspaces.isMember(found.workspaceId.toHexString())) ? found : null;
  }
}

function getAddressDigest(email: string): Buffer {
  return createHash('sha256').update(email).digest().subarray(0, ADDRESS_BYTES);
}
