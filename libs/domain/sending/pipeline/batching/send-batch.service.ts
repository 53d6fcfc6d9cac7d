import { ActiveCampaignsRepository } from '@domain/campaigns';
import { DueLeadRepository } from '@domain/leads';
import { type NewSend, SendBatchRepository, type SendRecord, type MailboxLease } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { mayBeCommitted, TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Types } from 'mongoose';
import { type MailboxTokens } from '../../decide/facts';
import { type EngineCampaign, type EngineLead } from '../mailbox-sender-cache';
import { WorkspaceBatcher, BATCH_WINDOW_MS } from './workspace-batcher';

/** All that the claim of one email writes. */
export interface ClaimWrites {
  readonly send: NewSend;
  readonly lead: EngineLead['record'];
  readonly turn: MailboxLease;
  readonly tokens: MailboxTokens;
  readonly share: EngineCampaign['share'];
  readonly nextAt: Date | null;
  readonly isNew: boolean;
}

/** One of them did not go through: none of them did. */
class GroupUndone extends Error {}

/**
 * Claims of several mailboxes in one transaction (group commit): as durable as one by one, and many times cheaper. Optimistic:
 * where one of them meets a race, all are undone and tried one by one, which says of each how it stands.
 */
@Injectable()
export class SendBatchService {
  readonly #groups = new WorkspaceBatcher<ClaimWrites, SendRecord | null>(
    (workspaceId, claims) => this.#claim(workspaceId, claims),
    BATCH_WINDOW_MS,
  );

  constructor(
    private readonly sends: SendBatchRepository,
    private readonly leads: DueLeadRepository,
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly transactions: TransactionService,
    private readonly log: LogService,
  ) {}

  /**
   * For an email that has no send yet and takes no place of a daily limit.
   * @returns null when it has to be tried alone
   * @throws when nobody knows whether it was claimed: then the next turn finds what is left of it
   */
  async claim(writes: ClaimWrites): Promise<SendRecord | null> {
    return this.#groups.run(writes.lead.workspaceId, writes);
  }

  async #claim(workspaceId: Types.ObjectId, claims: readonly ClaimWrites[]): Promise<(SendRecord | null)[]> {
    try {
      return await this.transactions.run(() => this.#write(workspaceId, claims));
    } catch (error) {
      const told = { claims: claims.length, reason: error instanceof Error ? error.message : String(error) };
      if (mayBeCommitted(error)) {
        this.log.warn('It is not known whether a group of claims was written: it is looked for', told);
        const found = await this.sends.findAll(
          workspaceId,
          claims.map(({ send }) => send._id),
        );
        // All of them or none: their ids are of this group alone.
        return claims.map(({ send }) => found.get(send._id.toHexString()) ?? null);
      }
      this.log.debug('A group of claims is taken one by one', told);
      return claims.map(() => null);
    }
  }

  async #write(workspaceId: Types.ObjectId, claims: readonly ClaimWrites[]): Promise<SendRecord[]> {
    const taken = await this.leads.reserveAll(
      claims.map(({ lead, send }) => ({ lead, sendId: send._id, sender: send.mailboxId })),
    );
    if (!taken) throw new GroupUndone('a lead was changed');
    const sends = await this.sends.claimAll(claims.map(({ send }) => send));
    const budgets = claims.map(({ turn, tokens }) => ({ turn, budget: tokens }));
    if (!(await this.sends.budgetsAll(budgets))) throw new GroupUndone('a turn was lost');
    const served = claims.map(({ share, send, nextAt, isNew }) => ({ share, at: send.claimedAt, nextAt, isNew }));
    if (!(await this.campaigns.recordServedAll(workspaceId, served)))
      throw new GroupUndone('a mailbox left a campaign');
    return sends;
  }
}
