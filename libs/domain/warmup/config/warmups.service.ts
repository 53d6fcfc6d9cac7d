import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { toWarmup, type WarmupResponse } from '../dto/warmup.dto';
import { toWarmupSettings, type WarmupSettingsResponse } from '../dto/warmup-settings.dto';
import { WarmupPoolService } from '../mail/plan/warmup-pool.service';
import { WarmupRepository } from './warmup.repository';

/** Warmups as their users see them: every mailbox has one. */
@Injectable()
export class WarmupsService {
  constructor(
    private readonly warmups: WarmupRepository,
    private readonly pool: WarmupPoolService,
  ) {}

  /** @throws NOT_FOUND */
  async config(workspace: WorkspaceScope, mailboxId: string): Promise<WarmupResponse> {
    return toWarmup(await this.warmups.find(workspace, mailboxId));
  }

  /** @throws NOT_FOUND */
  async settings(workspace: WorkspaceScope, mailboxId: string): Promise<WarmupSettingsResponse> {
    const warmup = await this.warmups.find(workspace, mailboxId);
    return toWarmupSettings(warmup, await this.pool.hasPeersFor(warmup));
  }
}
