import { type WorkspaceScope, systemScope } from '@domain/access';
import { AgentKillSwitchService, AgentsService } from '@domain/agents';
import { ActiveCampaignsRepository, CampaignStatusService } from '@domain/campaigns';
import { InboxReplyRepository } from '@domain/inbox';
import { LeadImportRepository, LeadPauseService } from '@domain/leads';
import { SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { CrmAutomationService } from '@domain/crm';
import { WorkspacesService } from '@domain/identity';
import { conflict, invalidField } from '@platform/errors';
import { type ActiveMaintenance, MaintenanceModeService } from '@platform/maintenance';

/** Records set aside in one workspace, for review by its people. */
export interface ReconcileReport {
  /** Campaigns that were active and are now paused. */
  readonly campaigns: number;
  /** Leads paused because an email may have been sent to them. */
  readonly leads: number;
  /** Emails and replies that were on their way and are being resolved. */
  readonly ambiguous: number;
  /** Queued replies that were cancelled. */
  readonly replies: number;
  /** Whether its agents were switched off. */
  readonly agents: boolean;
}

const CODE = 'restored';

export interface ReleaseOptions {
  /** Nothing was sent since the backup, because the platform was down. Then nothing is set aside. */
  nothingWasSent: boolean;
  /** Latest time at which the lost installation was still running; default: the time of the restore. */
  stoppedAt?: Date;
}

interface WorkspaceReconcileReport extends ReconcileReport {
  /** Imports and CRM pulls that were cancelled. */
  readonly arrivals: number;
}

export interface ReleaseReport {
  readonly backupAt: Date;
  /** null: nothing was set aside. */
  readonly until: Date | null;
  /** By workspace. */
  readonly reconciled: Readonly<Record<string, WorkspaceReconcileReport>>;
}

/**
 * Reconciles workspaces with a database of an earlier time: nothing that may have been sent since is sent again
 * automatically. Each part can be repeated, because it finds only what is still open.
 */
@Injectable()
export class RestoreReconcilerService {
  constructor(
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly transitions: CampaignStatusService,
    private readonly agents: AgentsService,
    private readonly agentSwitch: AgentKillSwitchService,
    private readonly sends: SendRepository,
    private readonly replies: InboxReplyRepository,
    private readonly leads: LeadPauseService,
    private readonly imports: LeadImportRepository,
    private readonly pulls: CrmAutomationService,
    private readonly maintenance: MaintenanceModeService,
    private readonly workspaces: WorkspacesService,
  ) {}

  /**
   * @param backupAt time of the backup
   * @param until latest time at which the lost installation was still running
   */
  async reconcile(workspaceId: string, backupAt: Date, until: Date): Promise<ReconcileReport> {
    const workspace = systemScope(workspaceId, 'operator');
    // First: pausing releases claimed sends, and these would be sent again.
    const claimed = await this.sends.markPossiblySent(workspaceId);
    const campaigns = await this.#pauseCampaigns(workspace, backupAt);
    const agents = await this.#switchAgentsOff(workspace, backupAt);
    const { cancelled, resolving } = await this.replies.reconcile(workspaceId, until);
    const leads = await this.leads.reconcile(workspaceId, until);
    return { campaigns, leads, ambiguous: claimed + resolving, replies: cancelled, agents };
  }

  /**
   * Cancels imports and CRM pulls that may have continued after the backup; a person starts them again. Can be
   * repeated.
   * @param until latest time at which the lost installation was still running
   * @returns the number of imports and pulls
   */
  async cancelArrivals(workspaceId: string, until: Date): Promise<number> {
    const ended = await this.imports.reconcile(workspaceId, until);
    return ended + (await this.pulls.reconcile(systemScope(workspaceId, 'operator'), until));
  }

  /**
   * Reconciles all workspaces and ends maintenance mode. The mode ends last, so an interrupted run can be repeated.
   * @throws CONFLICT while maintenance mode is off, VALIDATION_ERROR for a time that is not between backup and restore
   */
  async release({ nothingWasSent, stoppedAt }: ReleaseOptions): Promise<ReleaseReport> {
    const active = await this.#requireActive();
    const { backupAt } = active;
    const until = nothingWasSent ? null : getReconcileEnd(active, stoppedAt);
    const reconciled: Record<string, WorkspaceReconcileReport> = {};
    if (until) {
      for (const id of await this.workspaces.idsWithDeleted()) {
        const arrivals = await this.cancelArrivals(id, until);
        reconciled[id] = { ...(await this.reconcile(id, backupAt, until)), arrivals };
      }
    }
    await this.maintenance.disable();
    return { backupAt, until, reconciled };
  }

  async #pauseCampaigns(workspace: WorkspaceScope, backupAt: Date): Promise<number> {
    const message =
      `The database was restored from a backup of ${backupAt.toISOString()}: later changes are missing. ` +
      'Check its settings and its paused leads before resuming it';
    let paused = 0;
    for (const campaignId of await this.campaigns.listIds(workspace)) {
      const change = await this.transitions.stop(workspace, campaignId, { code: CODE, message });
      if (!change) continue;
      await this.transitions.notify(workspace, change);
      paused += 1;
    }
    return paused;
  }

  /** Mail received since the backup is read again from the mailboxes, and may have been answered before the restore. */
  async #switchAgentsOff(workspace: WorkspaceScope, backupAt: Date): Promise<boolean> {
    const { items } = await this.agents.list(workspace, { limit: 1 });
    if (items.length === 0) return false;
    const reason = `Restored from a backup of ${backupAt.toISOString()}: mail received since then may have been answered`;
    await this.agentSwitch.set(workspace, { off: true, reason });
    return true;
  }

  async #requireActive(): Promise<ActiveMaintenance> {
    const active = await this.maintenance.current();
    if (!active) throw conflict('Maintenance mode is off: this database was not restored, or the restore was released');
    return active;
  }
}

function getReconcileEnd({ backupAt, since }: ActiveMaintenance, stoppedAt = since): Date {
  if (stoppedAt < backupAt || stoppedAt > since) {
    const span = `${backupAt.toISOString()} and ${since.toISOString()}`;
    throw invalidField('stoppedAt', `stopped-at must be between the backup and the restore: ${span}`);
  }
  return stoppedAt;
}
