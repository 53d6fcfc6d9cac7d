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
import { RecipientUpdateService } from './recipient-update.service';

/** Whose reports a link stops, and whose they are. */
export interface StoppedReports {
  readonly email: string;
  /** For a reader: the workspace. */
  readonly sender: string;
}

const PURPOSE = 'report-stop';
const ID_BYTES = 12;
/** Of a digest of the address: enough to tell apart those that a recipient has had. The token is signed as a whole. */
const ADDRESS_BYTES = 8;
/** Ours have some 70 characters; what is much longer is not even decoded. */
const MAX_TOKEN = 200;

/**
 * The link at the end of each report by which its reader stops them. It never expires: people stop old mail. It is that of the address
 * which the report went to: who was a recipient's address before stops nothing of, and learns nothing about, who is it now.
 */
@Injectable()
export class ReportUnsubscribeService {
  readonly #base: string;
  readonly #host: string;

  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    private readonly updates: RecipientUpdateService,
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

  /** Where the link of a recipient leads: below the public address, outside of `/v1`. */
  url({ _id, workspaceId, email }: Pick<ReportRecipientRecord, '_id' | 'workspaceId' | 'email'>): string {
    return this.#base + this.signer.sign(PURPOSE, Buffer.concat([_id.id, workspaceId.id, digestOf(email)]));
  }

  /** Whose reports the token would stop. Changes nothing: scanners follow links. null for one that names nobody. */
  async peek(token: string): Promise<StoppedReports | null> {
    const recipient = await this.#recipient(token);
    if (!recipient) return null;
    const workspaceId = recipient.workspaceId.toHexString();
    const isAlive = (await this.workspaces.filterAlive([workspaceId])).has(workspaceId);
    const name = isAlive ? (await this.names.get(systemScope(workspaceId))).name : this.#host;
    return { email: recipient.email, sender: `${name} (reports)` };
  }

  /**
   * Switches the recipient off, and returns when no report is begun for them any more. The same again is without effect. null for a
   * token that names nobody.
   */
  async stop(token: string): Promise<StoppedReports | null> {
    const recipient = await this.#recipient(token);
    if (!recipient) return null;
    const workspace = systemScope(recipient.workspaceId.toHexString());
    await this.transactions.run(() => this.updates.deactivate(workspace, recipient._id.toHexString()));
    return this.peek(token);
  }

  async #recipient(token: string): Promise<ReportRecipientRecord | null> {
    const named = token.length <= MAX_TOKEN ? this.signer.verify(PURPOSE, token) : null;
    if (named?.length !== 2 * ID_BYTES + ADDRESS_BYTES) return null;
    const [_id, workspaceId] = [0, ID_BYTES].map((at) => new Types.ObjectId(named.subarray(at, at + ID_BYTES)));
    const found = await this.recipients.findOne({ _id, workspaceId }).lean<ReportRecipientRecord>();
    if (!found || !digestOf(found.email).equals(named.subarray(2 * ID_BYTES))) return null;
    return (await this.workspaces.isMember(found.workspaceId.toHexString())) ? found : null;
  }
}

function digestOf(email: string): Buffer {
  return createHash('sha256').update(email).digest().subarray(0, ADDRESS_BYTES);
}
