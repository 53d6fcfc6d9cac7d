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

/** What was set aside; people look at it, workspace by workspace. */
export interface ReconcileReport {
  /** Campaigns that were active and are paused now. */
  readonly campaigns: number;
  /** Leads that were paused because they may have been written to. */
  readonly leads: number;
  /** Emails and replies that were on their way and are looked for. */
  readonly ambiguous: number;
  /** Replies that waited and were cancelled. */
  readonly replies: number;
  /** Whether its agents were switched off. */
  readonly agents: boolean;
}

const CODE = 'restored';

export interface ReleaseOptions {
  /** Nothing was sent since the backup: the platform stood still. Nothing is set aside then. */
  nothingWasSent: boolean;
  /** When the lost platform had stopped at the latest; otherwise the moment of the restore. */
  stoppedAt?: Date;
}

interface WorkspaceReconcileReport extends ReconcileReport {
  /** Imports, and pulls from CRMs, that were ended. */
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
    private readonly replies: InboxReplyRepository,
    private readonly leads: LeadPauseService,
    private readonly imports: LeadImportRepository,
    private readonly pulls: CrmAutomationService,
    private readonly maintenance: MaintenanceModeService,
    private readonly workspaces: WorkspacesService,
  ) {}

  /**
   * @param backupAt the moment of which the database is
   * @param until when whatever was lost had stopped at the latest
   */
  async reconcile(workspaceId: string, backupAt: Date, until: Date): Promise<ReconcileReport> {
    const workspace = systemScope(workspaceId, 'operator');
    // First: whatever is paused takes back what was claimed for it, and that would be sent again.
    const claimed = await this.sends.markPossiblySent(workspaceId);
    const campaigns = await this.#pauseCampaigns(workspace, backupAt);
    const agents = await this.#switchAgentsOff(workspace, backupAt);
    const { cancelled, resolving } = await this.replies.reconcile(workspaceId, until);
    const leads = await this.leads.reconcile(workspaceId, until);
    return { campaigns, leads, ambiguous: claimed + resolving, replies: cancelled, agents };
  }

  /**
   * Ends it; a person begins it again. Can be repeated.
   * @param until when whatever was lost had stopped at the latest
   * @returns how many imports and pulls
   */
  async cancelArrivals(workspaceId: string, until: Date): Promise<number> {
    const ended = await this.imports.reconcile(workspaceId, until);
    return ended + (await this.pulls.reconcile(systemScope(workspaceId, 'operator'), until));
  }

  /**
   * The hold ends last: whatever breaks off before is done by repeating it.
   * @throws CONFLICT while nothing is held, VALIDATION_ERROR for a time that is not between backup and restore
   */
  async release({ nothingWasSent, stoppedAt }: ReleaseOptions): Promise<ReleaseReport> {
    const held = await this.#requireActive();
    const { backupAt } = held;
    const until = nothingWasSent ? null : untilOf(held, stoppedAt);
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
      `The database was restored from a backup of ${backupAt.toISOString()}: what happened since is not known here. ` +
      'Look at its settings and its paused leads before resuming it';
    let paused = 0;
    for (const campaignId of await this.campaigns.listIds(workspace)) {
      const moved = await this.transitions.stop(workspace, campaignId, { code: CODE, message });
      if (!moved) continue;
      await this.transitions.notify(workspace, moved);
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

  async #requireActive(): Promise<ActiveMaintenance> {
    const held = await this.maintenance.current();
    if (!held) throw conflict('Nothing is held back: this database was not restored, or has been released');
    return held;
  }
}

function untilOf({ backupAt, since }: ActiveMaintenance, stoppedAt = since): Date {
  if (stoppedAt < backupAt || stoppedAt > since) {
    const span = `${backupAt.toISOString()} and ${since.toISOString()}`;
    throw invalidField('stoppedAt', `stopped-at must be between the backup and the restore: ${span}`);
  }
  return stoppedAt;
}
