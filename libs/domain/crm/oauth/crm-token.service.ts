import { CrmError, CrmPort, type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { LeaseService } from '@platform/database';
import { TokenRefreshCoalescer } from '@platform/oauth';
import { SecretBoxService } from '@platform/secrets';
import { type Model, type Types } from 'mongoose';
import { type ConnectionSecret, connectionSecretOwner } from '../connections/crm-secrets';
import { CrmConnectionRecord } from '../connections/schemas/crm-connection.record';
import { CrmOAuthClient } from './crm-oauth.client';
import { type CrmGrant } from './crm-grant';
import { getCrmVendor } from './crm-vendors';

export interface CrmTokenOwner {
  readonly workspaceId: Types.ObjectId;
  readonly connectionId: Types.ObjectId;
}

/** A token with less remaining time counts as expired: it might not outlive the work. */
const MIN_LIFETIME_MS = 60_000;

const READ = {
  type: 1,
  tokenUrl: 1,
  refreshToken: 1,
  accessToken: 1,
  accessTokenExpiresAt: 1,
  tokenVersion: 1,
} as const;
type Stored = Pick<CrmConnectionRecord, keyof typeof READ>;

/**
 * Access tokens of OAuth connections. Of all concurrent callers in all processes, one renews the token and the others
 * read the stored one.
 */
@Injectable()
export class CrmTokenService {
  readonly #coalescer: TokenRefreshCoalescer;

  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly crms: CrmPort,
    private readonly client: CrmOAuthClient,
    private readonly box: SecretBoxService,
    leases: LeaseService,
    private readonly clock: ClockPort,
    private readonly config: Config,
  ) {
    this.#coalescer = new TokenRefreshCoalescer(leases);
  }

  /**
   * Returns a token that is valid for at least another minute, unless the vendor issues only shorter ones.
   * @param refused the rejected token; it is renewed only while it is still the stored one
   * @throws CrmError `unauthorised` for a revoked grant, a temporary one when no token is available now
   */
  async token(owner: CrmTokenOwner, refused?: string): Promise<string> {
    return this.#coalescer.token<Stored>(
      {
        name: `crm-${owner.connectionId.toHexString()}`,
        read: () => this.#read(owner),
        usable: (stored) => this.#usable(owner, stored),
        renew: (stored) => this.#renew(owner, stored),
        isRevoked: (error) => error instanceof CrmError && error.failure === 'needs-human',
        isSame: (one, other) => one.tokenVersion === other.tokenVersion,
        unavailable: (message) => new CrmError('server', message),
      },
      refused,
    );
  }

  async #renew(owner: CrmTokenOwner, { type, tokenUrl, refreshToken, tokenVersion }: Stored): Promise<string | null> {
    // Some vendors issue one permanent token (Attio): a rejected one cannot be renewed.
    if (refreshToken === null || tokenUrl === null) throw createNotRenewableError(type);
    const opened = this.box.open(refreshToken, getSecretOwner(owner, 'refreshToken'));
    const { consent, ...vendor } = getCrmVendor(this.config, this.crms.driver(type));
    // A configuration fault: it ends when the operator configures the client again.
    if (consent === null || vendor.clientId === '')
      throw new CrmError('server', `No OAuth client is set up for ${type}`);
    const grant = await this.client.refresh({ ...vendor, consent }, tokenUrl, opened);
    return (await this.#store(owner, tokenVersion, grant)) ? grant.accessToken : null;
  }

  /** False when the stored tokens are newer than those used for the grant. */
  async #store(owner: CrmTokenOwner, tokenVersion: number, grant: CrmGrant): Promise<boolean> {
    const { workspaceId, connectionId } = owner;
    const { matchedCount } = await this.connections.updateOne(
      { _id: connectionId, workspaceId, tokenVersion },
      {
        $set: {
          accessToken: this.box.seal(grant.accessToken, getSecretOwner(owner, 'accessToken')),
          accessTokenExpiresAt: grant.expiresAt,
          ...(grant.refreshToken !== null && {
            refreshToken: this.box.seal(grant.refreshToken, getSecretOwner(owner, 'refreshToken')),
          }),
        },
        $inc: { tokenVersion: 1 },
      },
      // Its use does not count as a change of a connection.
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  async #read({ workspaceId, connectionId }: CrmTokenOwner): Promise<Stored> {
    const found = await this.connections.findOne({ _id: connectionId, workspaceId }, READ).lean<Stored>();
    if (!found) throw new CrmError('unauthorised', 'The connection was removed');
    return found;
  }

  #usable(owner: CrmTokenOwner, { accessToken, accessTokenExpiresAt }: Stored): string | null {
    if (accessToken === null || accessTokenExpiresAt === null) return null;
    if (accessTokenExpiresAt.getTime() - this.clock.now().getTime() < MIN_LIFETIME_MS) return null;
    return this.box.open(accessToken, getSecretOwner(owner, 'accessToken'));
  }
}

function getSecretOwner({ workspaceId, connectionId }: CrmTokenOwner, secret: ConnectionSecret): string {
  return connectionSecretOwner(workspaceId, connectionId, secret);
}

function createNotRenewableError(type: CrmType): CrmError {
  return new CrmError('unauthorised', `${type} does not accept the token any more; connect it again`);
}
