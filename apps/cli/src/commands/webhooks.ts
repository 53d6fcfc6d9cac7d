import { checkedInput, systemScope } from '@domain/access';
import { WorkspacesService } from '@domain/identity';
import {
  DeliveryQuery,
  WebhookDeliveriesService,
  WebhookHealthService,
  WebhookOperatorService,
  WebhooksService,
} from '@domain/webhooks';
import { Command } from 'commander';
import { onPlatform, type Services, parseWholeNumber } from '../command';

const OF_WORKSPACE = ['--workspace <workspaceId>', 'only this workspace'] as const;

export function webhooksCommands(): Command {
  const webhooks = new Command('webhooks').description('manage webhooks of all workspaces');
  addReading(webhooks);
  addChanging(webhooks);
  webhooks.addCommand(statsCommand());
  return webhooks;
}

function addReading(webhooks: Command): void {
  webhooks
    .command('list')
    .description('list webhooks without their secrets, newest first')
    .option(...OF_WORKSPACE)
    .option('--limit <number>', 'maximum number of entries', parseWholeNumber, 100)
    .action(({ workspace, limit }: { workspace?: string; limit: number }, command: Command) =>
      onPlatform(command, async (service) => {
        const workspaceId = workspace === undefined ? undefined : await requireWorkspace(service, workspace);
        return service(WebhookOperatorService).list({ workspaceId, limit });
      }),
    );
  webhooks
    .command('deliveries <webhookId>')
    .description('list deliveries of a webhook of the last 30 days, newest first')
    .option('--state <state>', 'only this state: pending, delivered or failed')
    .option('--limit <number>', 'maximum number of entries, 1 to 100', parseWholeNumber, 50)
    .action((webhookId: string, options: { state?: string; limit: number }, command: Command) =>
      onPlatform(command, async (service) => {
        const query = checkedInput(DeliveryQuery, options);
        const page = await service(WebhookDeliveriesService).list(await getScope(service, webhookId), webhookId, query);
        return page.items;
      }),
    );
}

function addChanging(webhooks: Command): void {
  webhooks
    .command('redeliver <deliveryId>')
    .description('attempt a delivery once more; its schedule does not change')
    .action((deliveryId: string, _options, command: Command) =>
      onPlatform(command, async (service) => {
        const { workspaceId, webhookId } = await service(WebhookOperatorService).requireDelivery(deliveryId);
        return service(WebhookDeliveriesService).redeliver(systemScope(workspaceId, 'operator'), webhookId, deliveryId);
      }),
    );
  for (const [name, status, description] of [
    ['disable', 'inactive', 'disable a webhook; its pending deliveries wait'],
    ['enable', 'active', 'enable a webhook; pending deliveries continue and earlier failures are reset'],
  ] as const) {
    webhooks
      .command(`${name} <webhookId>`)
      .description(description)
      .action((webhookId: string, _options, command: Command) =>
        onPlatform(command, async (service) => {
          const scope = await getScope(service, webhookId);
          await service(WebhooksService).update(scope, webhookId, { status });
          return service(WebhookHealthService).read(scope, webhookId);
        }),
      );
  }
}

function statsCommand(): Command {
  const stats = new Command('stats').description('manage the figures of delivered and failed deliveries');
  stats
    .command('rebuild')
    .description(
      'compare the figures with the log of 30 days and correct them; for older webhooks, only figures that are too low are found',
    )
    .option(...OF_WORKSPACE)
    .option('--check', 'correct nothing; fails if a figure differs', false)
    .action(({ workspace, check }: { workspace?: string; check: boolean }, command: Command) =>
      onPlatform(command, async (service) => {
        const report = await rebuildWebhookStats(service, workspace, check);
        if (check && report.differences.length > 0) process.exitCode = 1;
        return report;
      }),
    );
  return stats;
}

async function rebuildWebhookStats(service: Services, workspace: string | undefined, isCheck: boolean) {
  const report = { webhooks: 0, exact: 0, differences: [] as object[] };
  const ids = workspace === undefined ? service(WorkspacesService).ids() : [await requireWorkspace(service, workspace)];
  for (const workspaceId of await ids) {
    const { webhooks, exact, differences } = await service(WebhookOperatorService).rebuildStats(workspaceId, {
      isCheck,
    });
    report.webhooks += webhooks;
    report.exact += exact;
    report.differences.push(...differences.map((one) => ({ workspaceId, ...one })));
  }
  return report;
}

async function getScope(service: Services, webhookId: string) {
  return systemScope(await service(WebhookOperatorService).requireWorkspaceId(webhookId), 'operator');
}

async function requireWorkspace(service: Services, workspaceId: string): Promise<string> {
  return (await service(WorkspacesService).get(systemScope(workspaceId, 'operator'))).id;
}
