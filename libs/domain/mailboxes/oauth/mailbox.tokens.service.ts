import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { MailError } from '@adapters/mail';
import { Clock } from '@platform/clock';
import { Leases } from '@platform/database';
import { SecretBox } from '@platform/secrets';
import { type Model, type Types } from 'mongoose';
import { secretOwner } from '../mailbox.secrets';
import { MailboxRecord, type OAuthCredentials } from '../schemas/mailbox.record';
import { type Grant } from './oauth.answer';
import { OAuthClient } from './oauth.client.service';
import { storedServiceAccountKey } from './service.account.key';

export interface TokenOwner {
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
}

/** A token that ends sooner counts as ended: it would not survive the work that it is asked for. */
const LEAST_LIFE_MS = 60_000;
/** Longer than the two requests that a refresh may take. */
const LEASE_MS = 30_000;
/** For how long somebody else's refresh is waited for, and how often it is looked at. */
const PATIENCE_MS = 40_000;
const FIRST_LOOK_MS = 25;
const SLOWEST_LOOK_MS = 500;

type Stored = Pick<MailboxRecord, 'email' | 'provider'> & { oauthCredentials: OAuthCredentials };

/**
 * Access tokens of mailboxes that were connected by consent or through a service account. Of all who need a new one at
 * the same time, in however many processes, one asks the vendor and the others read what it stored.
 */
@Injectable()
export class MailboxTokens {
  /** Refreshes of this process, by mailbox: its own callers do not queue for the lease. */
  readonly #flights = new Map<string, Promise<string>>();

  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly client: OAuthClient,
    private readonly box: SecretBox,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /**
   * A token that is good for at least another minute, unless the vendor gives only shorter ones.
   * @param refused the token that the vendor has just refused; it is replaced only while it is still the stored one
   * @throws MailError `needs-human` when the grant is gone, `temporary` when no token can be had at the moment
   */
  async token(owner: TokenOwner, refused?: string): Promise<string> {
    const usable = this.#usable(owner, await this.#read(owner), refused);
    if (usable !== null) return usable;
    const key = String(owner.mailboxId);
    const flight = this.#flights.get(key);
    if (flight) {
      const token = await flight;
      if (token !== refused) return token;
    }
    return this.#fly(key, owner, refused);
  }

  #fly(key: string, owner: TokenOwner, refused: string | undefined): Promise<string> {
    const running = this.#flights.get(key);
    if (running) return running;
    const flight = this.#alone(owner, refused).finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  /** Refreshes while no other process does, or waits for what that one stores. */
  async #alone(owner: TokenOwner, refused: string | undefined): Promise<string> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, SLOWEST_LOOK_MS)) {
      const lease = await this.leases.acquire(`token-${String(owner.mailboxId)}`, LEASE_MS);
      if (lease) {
        try {
          return await this.#refresh(owner, refused);
        } finally {
          await this.leases.release(lease);
        }
      }
      await wait(pause * (0.5 + Math.random()));
      const usable = this.#usable(owner, await this.#read(owner), refused);
      if (usable !== null) return usable;
      if (performance.now() > giveUpAt) throw unavailable('Another process is taking too long to renew the token');
    }
  }

  /** Under the lease: what was stored in the meantime comes first. */
  async #refresh(owner: TokenOwner, refused: string | undefined): Promise<string> {
    const stored = await this.#read(owner);
    const usable = this.#usable(owner, stored, refused);
    if (usable !== null) return usable;
    try {
      return await this.#renew(owner, stored);
    } catch (error) {
      if (!(error instanceof MailError) || error.failure !== 'needs-human') throw error;
      // Another process (one whose lease ran out, a new consent) may have changed the refresh token meanwhile.
      const again = await this.#read(owner);
      if (again.oauthCredentials.version === stored.oauthCredentials.version) throw error;
      return this.#usable(owner, again, refused) ?? this.#renew(owner, again);
    }
  }

  async #renew(owner: TokenOwner, stored: Stored): Promise<string> {
    const grant = await this.#ask(owner, stored);
    if (await this.#store(owner, stored.oauthCredentials.version, grant)) return grant.accessToken;
    // Somebody stored newer ones: ours are dropped, theirs are used.
    const usable = this.#usable(owner, await this.#read(owner), undefined);
    if (usable === null) throw unavailable('The authorisation of the mailbox was changed meanwhile');
    return usable;
  }

  #ask(owner: TokenOwner, { email, provider, oauthCredentials }: Stored): Promise<Grant> {
    const { refreshToken, serviceAccountKey } = oauthCredentials;
    if (serviceAccountKey !== null) {
      const key = this.box.open(serviceAccountKey, ownerOf(owner, 'serviceAccountKey'));
      return this.client.actFor(email, storedServiceAccountKey(key));
    }
    if (refreshToken === null || provider === 'custom') throw nothingToRenew();
    return this.client.refresh(provider, this.box.open(refreshToken, ownerOf(owner, 'refreshToken')));
  }

  /** False when the stored ones are newer than those that the grant was made from. */
  async #store({ workspaceId, mailboxId }: TokenOwner, version: number, grant: Grant): Promise<boolean> {
    const owner = { workspaceId, mailboxId };
    const { matchedCount } = await this.mailboxes.updateOne(
      { _id: mailboxId, workspaceId, 'oauthCredentials.version': version },
      {
        $set: {
          'oauthCredentials.accessToken': this.box.seal(grant.accessToken, ownerOf(owner, 'accessToken')),
          'oauthCredentials.accessTokenExpiresAt': grant.expiresAt,
          ...(grant.refreshToken === null
            ? {}
            : { 'oauthCredentials.refreshToken': this.box.seal(grant.refreshToken, ownerOf(owner, 'refreshToken')) }),
        },
        $inc: { 'oauthCredentials.version': 1 },
      },
      // A mailbox does not count as changed because it is used.
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  async #read({ workspaceId, mailboxId }: TokenOwner): Promise<Stored> {
    const found = await this.mailboxes
      .findOne({ _id: mailboxId, workspaceId }, { email: 1, provider: 1, oauthCredentials: 1 })
      .lean();
    if (!found?.oauthCredentials) throw nothingToRenew();
    return { ...found, oauthCredentials: found.oauthCredentials };
  }

  #usable(owner: TokenOwner, { oauthCredentials }: Stored, refused: string | undefined): string | null {
    const { accessToken, accessTokenExpiresAt } = oauthCredentials;
    if (accessToken === null || accessTokenExpiresAt === null) return null;
    if (accessTokenExpiresAt.getTime() - this.clock.now().getTime() < LEAST_LIFE_MS) return null;
    const opened = this.box.open(accessToken, ownerOf(owner, 'accessToken'));
    return opened === refused ? null : opened;
  }
}

function ownerOf({ workspaceId, mailboxId }: TokenOwner, secret: Parameters<typeof secretOwner>[2]): string {
  return secretOwner(workspaceId, mailboxId, secret);
}

function nothingToRenew(): MailError {
  return new MailError({ failure: 'needs-human', stage: 'login', message: 'The mailbox is not authorised' });
}

function unavailable(message: string): MailError {
  return new MailError({ failure: 'temporary', stage: 'login', message });
}
