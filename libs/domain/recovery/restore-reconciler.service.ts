import { systemScope, type WorkspaceScope } from '@domain/access';
import { AgentsService, AgentKillSwitchService } from '@domain/agents';
import { CampaignStatusService, ActiveCampaignsRepository } from '@domain/campaigns';
import { ReplyDoubtsRepository } from '@domain/inbox';
import { LeadPauseService } from '@domain/leads';
import { SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';

/** What was set aside; people look at it, workspace by workspace. */
export interface ReconcileReport {
  /** Campaigns that were active and are paused now. */
  readonly campaigns: number;
  /** Leads that were paused because they may have been written to. */
  readonly leads: number;
  /** Emails and replies that were on their way and are looked for. */
  readonly lookedFor: number;
  /** Replies that waited and were cancelled. */
  readonly replies: number;
  /** Whether its agents were switched off. */
  readonly agents: boolean;
}

const CODE = 'restored';

/**
 * What becomes of a workspace whose database is of an earlier moment: of what may have been sent since, nothing is sent again
 * by itself. Each part can be repeated: what was done is not found any more.
 */
@Injectable()
export class RestoreReconcilerService {
  constructor(
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly transitions: CampaignStatusService,
    private readonly agents: AgentsService,
    private readonly agentSwitch: AgentKillSwitchService,
    private readonly sends: SendRepository,
    private readonly replies: ReplyDoubtsRepository,
    private readonly leads: LeadPauseService,
  ) {}

  /**
   * @param backupAt the moment of which the database is
   * @param until when whatever was lost had stopped at the latest
   */
  async setAside(workspaceId: string, backupAt: Date, until: Date): Promise<ReconcileReport> {
    const workspace = systemScope(workspaceId, 'operator');
    // First: whatever is paused takes back what was claimed for it, and that would be sent again.
    const claimed = await this.sends.markPossiblySent(workspaceId);
    const campaigns = await this.#pauseCampaigns(workspace, backupAt);
    const agents = await this.#switchAgentsOff(workspace, backupAt);
    const { cancelled, lookedFor } = await this.replies.setAside(workspaceId, until);
    const leads = await this.leads.reconcile(workspaceId, until);
    return { campaigns, leads, lookedFor: claimed + lookedFor, replies: cancelled, agents };
  }

  async #pauseCampaigns(workspace: WorkspaceScope, backupAt: Date): Promise<number> {
    const message =
      `The database was restored from a backup of ${backupAt.toISOString()}: what happened since is not known here. ` +
      'Look at its settings and its paused leads before resuming it';
    let paused = 0;
    for (const campaignId of await this.campaigns.activeIds(workspace)) {
      const moved = await this.transitions.stop(workspace, campaignId, { code: CODE, message });
      if (!moved) continue;
      await this.transitions.notified(workspace, moved);
      paused += 1;
    }
    return paused;
  }

  /** What came in since the backup is read again from the mailboxes, and was perhaps answered then. */
  async #switchAgentsOff(workspace: WorkspaceScope, backupAt: Date): Promise<boolean> {
    const { items } = await this.agents.list(workspace, { limit: 1 });
    if (items.length === 0) return false;
    const reason = `Restored from a backup of ${backupAt.toISOString()}: what came in since may have been answered`;
    await this.agentSwitch.set(workspace, { off: true, reason });
    return true;
  }
}
