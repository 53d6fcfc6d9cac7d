import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { MailboxHookRegistry } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { toWarmup, type WarmupResponse } from '../dto/warmup.dto';
import { type UpdateWarmupRequest } from '../dto/warmup-requests.dto';
import { slowRamp } from '../plan/progress';
import { getOpenings } from '../plan/volume';
import { type WarmupConfig } from '../schemas/warmup.record';
import { changedConfig } from './warmup-settings';
import { shownByMailbox, type Warmup, type WarmupState } from './warmup-state';
import { WarmupRepository } from './warmup.repository';

/** Changing how mailboxes are warmed up. */
@Injectable()
export class WarmupUpdatesService {
  constructor(
    private readonly writer: WarmupRepository,
    private readonly uses: MailboxHookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * What is left out stays. A run that is under way keeps its day, and its volume rises by a day's increase at most; what is
   * planned for today stays planned.
   * @throws NOT_FOUND, VALIDATION_ERROR naming each field that does not fit the others
   */
  async update(workspace: WorkspaceScope, mailboxId: string, request: UpdateWarmupRequest): Promise<WarmupResponse> {
    const updated = await this.transactions.run(async () => {
      const before = await this.writer.find(workspace, mailboxId);
      const config = changedConfig(before.state.config, request);
      if (isDeepStrictEqual(config, before.state.config)) return toWarmup(before);
      const after = await this.writer.write(before, { config, ...volumeFor(before, config) });
      await this.audit.record(workspace, {
        action: 'warmup.updated',
        target: { type: 'mailbox', id: before.mailbox._id.toHexString() },
        changes: getChanges(before.state.config, config, Object.keys(config) as (keyof WarmupConfig)[]),
      });
      return toWarmup(after);
    });
    // Campaigns may have another part of the mailbox's limit now.
    await this.uses.changed(workspace, mailboxId);
    return updated;
  }

  /**
   * The mailbox has another limit: the share of a run that is under way is another one. Nothing is written when nothing comes of
   * it.
   * @throws NOT_FOUND
   */
  async limitChanged(workspace: Pick<WorkspaceScope, 'workspaceId'>, mailboxId: string): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.writer.find(workspace, mailboxId);
      const changes = volumeFor(before, before.state.config);
      const { mailbox, state } = before;
      const { share } = shownByMailbox({ mailbox, state: { ...state, ...changes } });
      const isSame = state.currentVolume === changes.currentVolume && isDeepStrictEqual(share, mailbox.warmup.share);
      if (!isSame) await this.writer.write(before, changes);
    });
  }
}

/** What settings make of the volume of a run; of none without one. */
function volumeFor(
  { mailbox: { dailySendLimit }, state }: Warmup,
  config: WarmupConfig,
): Pick<WarmupState, 'slowdown' | 'currentVolume'> {
  const { status, currentDay, currentVolume, slowdown: before } = state;
  if (status === 'not_started') return { slowdown: before, currentVolume };
  const slowdown = slowRamp(state, { config, dailySendLimit });
  return { slowdown, currentVolume: getOpenings(currentDay, config, { slowdown, dailySendLimit }) };
}
