import { systemScope } from '@domain/access';
import { StatsRebuildService } from '@domain/analytics';
import { CampaignRepository } from '@domain/campaigns';
import { WorkspacesService } from '@domain/identity';
import { Command } from 'commander';
import { onPlatform, type Services } from '../command';

interface RebuildOptions {
  workspace?: string;
  campaign?: string;
  check: boolean;
}

/** `counters rebuild` is its earlier name. */
export function statsCommands(): Command {
  const stats = new Command('stats').alias('counters').description('manage figures of campaigns and mailboxes');
  stats
    .command('rebuild')
    .description('recount all figures from leads, sends and events, correct them and report the differences')
    .option('--workspace <workspaceId>', 'only this workspace')
    .option('--campaign <campaignId>', 'only this campaign, without the figures of mailboxes')
    .option('--check', 'correct nothing; fails if a figure differs', false)
    .action((options: RebuildOptions, command: Command) =>
      onPlatform(command, async (service) => {
        const report = await rebuildStats(service, options);
        if (options.check && report.differences.length > 0) process.exitCode = 1;
        return report;
      }),
    );
  return stats;
}

async function rebuildStats(service: Services, { workspace, campaign, check }: RebuildOptions) {
  const report = { workspaces: 0, campaigns: 0, differences: [] as object[] };
  for (const workspaceId of await listWorkspaceIds(service, workspace, campaign)) {
    const options = { campaignId: campaign, isCheck: check };
    const { campaigns, differences } = await service(StatsRebuildService).run(workspaceId, options);
    report.workspaces += 1;
    report.campaigns += campaigns;
    report.differences.push(...differences.map((one) => ({ workspaceId, ...one })));
  }
  return report;
}

async function listWorkspaceIds(service: Services, workspace?: string, campaign?: string): Promise<string[]> {
  const workspaces = service(WorkspacesService);
  if (workspace !== undefined) return [(await workspaces.get(systemScope(workspace, 'operator'))).id];
  return campaign === undefined ? workspaces.ids() : [await service(CampaignRepository).getWorkspaceId(campaign)];
}
