import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { toWarmup, type WarmupResponse } from '../dto/warmup.dto';
import { toWarmupSettings, type WarmupSettingsResponse } from '../dto/warmup-settings.dto';
import { WarmupPool } from '../mail/plan/warmup.pool.service';
import { WarmupWriter } from './warmup.writer.service';

/** Warmups as their users see them: every mailbox has one. */
@Injectable()
export class WarmupsService {
  constructor(
    private readonly warmups: WarmupWriter,
    private readonly pool: WarmupPool,
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
